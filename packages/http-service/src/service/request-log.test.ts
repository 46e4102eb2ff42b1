import type { Logger } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater } from '../headwater.ts';
import type { Operation } from '../rows/operation.ts';

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
  ['that no row has', `/${LONG}`],
])('the path of a request %s', (_what, path) => {
  it.each([true, false])('is in at most one log line, with limited length; request log: %s', async (logRequests) => {
    const lines = await linesOf(path, logRequests);
    const linesWithPath = lines.filter((line) => JSON.stringify(line).includes('xxx'));
    expect(linesWithPath).toHaveLength(logRequests || path.startsWith('/fails') ? 1 : 0);
    for (const line of lines) expect(JSON.stringify(line).length).toBeLessThan(3000);
  });
});

it('a failure and its request have different levels and the same id', async () => {
  const [failure, request] = await linesOf('/fails/a/', true);
  expect(failure).toMatchObject({ method: 'GET', message: 'unexpected failure' });
  expect(request).toMatchObject({ path: '/fails/a/', status: 500, message: 'request' });
  const id = (line: object | undefined): unknown => Object(line)['requestId'];
  expect(id(failure)).toBe(id(request));
});
