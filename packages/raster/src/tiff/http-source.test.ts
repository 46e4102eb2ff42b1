import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Network, type NetworkSettings } from '@headwater/net';
import { stillClock } from '../../../../scripts/still-clock.mjs';
import { openHttpSource } from './http-source.ts';

const BYTES = Uint8Array.from({ length: 40_000 }, (_, i) => i % 251);
type Answer = 'ok' | 'reset' | 'cut' | 'stall' | { status: number; retryAfter?: string };

let server: Server;
let requestCount = 0;
let onStall = (): void => {};
let origin = '';
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(resolve));
});

/** The server sends these responses in order, and then repeats the last one. */
async function serve(...answers: readonly Answer[]): Promise<string> {
  requestCount = 0;
  server = createServer((request, response) => {
    give(answers[Math.min(requestCount, answers.length - 1)] ?? 'ok', request, response);
    requestCount += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return `${origin}/scene/B04.tif?sig=secret`;
}

function give(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
  const part = BYTES.subarray(Number(from), Number(to) + 1);
  const head = { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${BYTES.length}` };
  if (answer === 'stall') return onStall();
  if (answer === 'reset') request.socket.destroy();
  else if (answer === 'ok') response.writeHead(206, head).end(part);
  else if (answer === 'cut') {
    response.writeHead(206, { ...head, 'content-length': part.length });
    response.write(part.subarray(0, 100), () => request.socket.destroy());
  } else {
    const { status, retryAfter } = answer;
    // A real date would not match the simulated clock of the network.
    response.sendDate = false;
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('no');
  }
}

/** Network with a simulated clock: pauses are recorded and take no time. */
function network(settings: Partial<NetworkSettings> = {}) {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const [pauses, notes]: [number[], (string | null)[]] = [[], []];
  const { timeouts, tools: still } = stillClock();
  const tools = {
    now: () => nowMs,
    random: () => 1,
    sleep: (ms: number) => {
      pauses.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
    timeout: still.timeout,
  };
  const allowed = { allowedOrigins: [origin], ...settings };
  const created = new Network({ settings: allowed, tools, onWait: (note) => void notes.push(note) });
  return { reach: created, pauses, notes, timeouts, spend: (ms: number) => void (nowMs += ms) };
}
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

describe('a file that is read over HTTP', () => {
  it.each([
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
    ['408', { status: 408 }],
    ['a connection that is reset', 'reset'],
    ['a body that breaks off', 'cut'],
  ] as const)('is read although the server responds with %s nine times', async (_what, trouble) => {
    const href = await serve(...Array<Answer>(9).fill(trouble), 'ok');
    const { reach, pauses, notes } = network();
    const source = await openHttpSource(href, { network: reach });
    expect(source.size).toBe(BYTES.length);
    expect(await source.read(20_000, 50)).toEqual(BYTES.subarray(20_000, 20_050));
    expect(requestCount).toBe(11);
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(notes[0]).toMatch(/^waiting for 127\.0\.0\.1:\d+ \(.+\); next try in 1 s$/);
    expect(notes.at(-1)).toBeNull();
  });

  it('is requested again after the pause in Retry-After (seconds or a date)', async () => {
    const href = await serve(
      { status: 429, retryAfter: '90' },
      { status: 503, retryAfter: 'Thu, 01 Jan 2026 00:02:30 GMT' },
      'ok',
    );
    const { reach, pauses } = network();
    await openHttpSource(href, { network: reach });
    // A random time is added to the pause, so that readers do not retry at the same moment.
    expect(pauses[0]).toBe(90_500);
    expect(pauses[1]).toBeGreaterThanOrEqual(59_500);
    expect(pauses[1]).toBeLessThan(61_500);
  });

  it('is reported as unavailable after minutes of retries, not as broken, in a message without secrets', async () => {
    const href = await serve({ status: 503 });
    const { reach, pauses } = network({ patienceMs: 300_000 });
    const error: unknown = await openHttpSource(href, { network: reach }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^http:\/\/127.*B04\.tif: no response .*HTTP 503.*check the network/),
    });
    expect(String(error)).not.toContain('secret');
    expect(sum(pauses)).toBeGreaterThan(200_000);
    expect(sum(pauses)).toBeLessThanOrEqual(300_000);
  });

  it('is not retried if Retry-After exceeds the time limit', async () => {
    const href = await serve({ status: 429, retryAfter: '7200' });
    const { reach, pauses } = network();
    await expect(openHttpSource(href, { network: reach })).rejects.toMatchObject({ code: 'unavailable' });
    expect(pauses).toEqual([]);
    expect(requestCount).toBe(1);
  });

  it('shares its time limit with other files, so that the total wait is limited', async () => {
    const href = await serve({ status: 503 });
    const { reach, pauses } = network({ patienceMs: 32_000 });
    await expect(openHttpSource(href, { network: reach })).rejects.toMatchObject({ code: 'unavailable' });
    const first = pauses.length;
    await expect(openHttpSource(href, { network: reach })).rejects.toMatchObject({ code: 'unavailable' });
    expect(pauses.slice(first)).toEqual([500, 1000, 2000]);
  });

  it('has a timeout for each request', async () => {
    const href = await serve('stall', 'ok');
    const { reach, pauses, timeouts } = network({ timeoutMs: 20 });
    // The first timeout fires after the request has reached the server. The second timeout never fires.
    onStall = () => timeouts[0]?.over();
    await openHttpSource(href, { network: reach });
    expect(pauses).toEqual([500]);
    expect(timeouts.map(({ ms }) => ms)).toEqual([20, 20]);
  });

  it.each([
    ['404', { status: 404 }, /HTTP 404/],
    ['403', { status: 403 }, /HTTP 403/],
    ['200 to a range', { status: 200 }, /ignores Range/],
  ] as const)('fails immediately if the server responds with %s', async (_what, answer, reason) => {
    const href = await serve(answer);
    const { reach } = network();
    await expect(openHttpSource(href, { network: reach })).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringMatching(reason),
    });
    expect(requestCount).toBe(1);
  });

  it('fails immediately if its address is invalid', async () => {
    await serve('ok');
    for (const href of ['http://user:pw@127.0.0.1:1/x.tif', 'http://[::1/x.tif'])
      await expect(openHttpSource(href, { network: network().reach })).rejects.toMatchObject({ code: 'input_data' });
  });

  it('is no longer retried after the run was cancelled', async () => {
    const href = await serve({ status: 503 });
    const stop = new AbortController();
    const tools = {
      ...stillClock().tools,
      sleep: () => Promise.resolve(stop.abort(new Error('cancelled by its owner'))),
    };
    const cancelling = new Network({ settings: { allowedOrigins: [origin] }, tools });
    await expect(openHttpSource(href, { network: cancelling, signal: stop.signal })).rejects.toThrow(
      'cancelled by its owner',
    );
    expect(requestCount).toBe(1);
  });
});
