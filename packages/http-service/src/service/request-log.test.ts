import type { Logger } from '@headwater/core';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater } from '../headwater.ts';
import { operation, type Operation } from '../rows/operation.ts';

const fails: Operation = {
  id: 'fails',
  method: 'GET',
  path: '/fails/:name/',
  auth: 'public',
  tag: 'system',
  summary: 'Fails',
  params: z.object({ name: z.string() }),
  responses: { 200: { description: 'Never' } },
  errors: [],
  examples: [{ name: 'one', params: { name: 'x' }, status: 200 }],
  handler: () => {
    throw new Error('broken');
  },
};

const LONG = 'x'.repeat(60_000);

async function linesOf(path: string, logRequests: boolean): Promise<readonly object[]> {
  const lines: object[] = [];
  const write = (fields: object, message: string): void => void lines.push({ ...fields, message });
  const logger: Logger = { debug: write, info: write, error: write };
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const headwater = createHeadwater({ baseUrl: 'http://localhost', secret, operations: [fails], logger, logRequests });
  await toFetchHandler(headwater.service)(new Request(`http://localhost${path}`));
  await headwater.close();
  return lines;
}

describe.each([
  ['that fails', `/fails/${LONG}/`],
  ['that matches no operation', `/${LONG}`],
])('the path of a request %s', (_what, path) => {
  it.each([true, false])('is in at most one log line, with limited length; request log: %s', async (logRequests) => {
    const lines = await linesOf(path, logRequests);
    const linesWithPath = lines.filter((line) => JSON.stringify(line).includes('xxx'));
    expect(linesWithPath).toHaveLength(logRequests || path.startsWith('/fails') ? 1 : 0);
    for (const line of lines) expect(JSON.stringify(line).length).toBeLessThan(3000);
  });
});

it('the log lines of a failure and of its request have the same request id', async () => {
  const [failure, request] = await linesOf('/fails/a/', true);
  expect(failure).toMatchObject({ method: 'GET', message: 'unexpected failure' });
  expect(request).toMatchObject({ path: '/fails/a/', status: 500, message: 'request' });
  const id = (line: object | undefined): unknown => Object(line)['requestId'];
  expect(id(failure)).toBe(id(request));
});

const cancelled = vi.fn();
const answers = operation({
  id: 'answers',
  method: 'GET',
  path: '/answers/:how/',
  auth: 'public',
  tag: 'system',
  summary: 'Answers',
  responses: { 200: { description: 'Nothing' } },
  errors: [],
  params: z.object({ how: z.enum(['now', 'later', 'streamed']) }),
  examples: [{ name: 'one', params: { how: 'now' }, status: 200 }],
  handler: ({ params: { how } }) => {
    if (how === 'streamed')
      return { status: 200, headers: {}, body: new ReadableStream({ cancel: () => cancelled() }) };
    const reply = { status: 200, headers: {}, body: '' };
    return how === 'now' ? reply : Promise.resolve(reply);
  },
});

it.each(['/answers/now/', '/answers/later/', '/answers/streamed/', '/fails/a/', '/nothing'])(
  'if the logger of the host throws, the request %s is rejected and no longer in progress',
  async (url) => {
    let isBroken = true;
    const write = (): void => {
      if (isBroken) throw new Error('the log is full');
    };
    const { service, close, metrics } = createHeadwater({
      baseUrl: 'http://localhost',
      secret: crypto.getRandomValues(new Uint8Array(32)),
      operations: [fails, answers],
      logger: { debug: write, info: write, error: write },
      logRequests: true,
      metrics: {},
    });
    const signal = new AbortController().signal;
    const request = {
      method: 'GET',
      url,
      headers: {},
      body: { kind: 'none' },
      remoteAddress: undefined,
      signal,
    } as const;
    const response = service.execute(request);
    expect(response).toBeInstanceOf(Promise);
    await expect(response).rejects.toThrow('the log is full');
    expect(cancelled).toHaveBeenCalledTimes(url.includes('streamed') ? 1 : 0);
    cancelled.mockClear();
    isBroken = false;
    expect(await metrics?.text()).toMatch(/^headwater_http_requests_in_progress 0$/m);
    await close();
  },
);
