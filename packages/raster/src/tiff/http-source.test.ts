import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Network, type NetworkSettings } from '@headwater/net';
import { stillClock } from '../../../../scripts/still-clock.mjs';
import { openHttpSource } from './http-source.ts';

const BYTES = Uint8Array.from({ length: 40_000 }, (_, i) => i % 251);
/** What the server does with one request; `ok` answers the range. */
type Answer = 'ok' | 'reset' | 'cut' | 'stall' | { status: number; retryAfter?: string };

let server: Server;
let asked = 0;
/** What happens when a request has come that is never answered. */
let onStall = (): void => {};
/** Origin of the server, which the readers are allowed to ask. */
let origin = '';
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(resolve));
});

/** A loopback server that gives these answers in turn, the last one for ever. */
async function serve(...answers: readonly Answer[]): Promise<string> {
  asked = 0;
  server = createServer((request, response) => {
    give(answers[Math.min(asked, answers.length - 1)] ?? 'ok', request, response);
    asked += 1;
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
    // The network's clock is a virtual one; a real date would not agree with it.
    response.sendDate = false;
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('no');
  }
}

/** A network that may ask the server, on a clock of its own: pauses pass at once and are written down. */
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
  const made = new Network({ settings: allowed, tools, onWait: (note) => void notes.push(note) });
  return { made, pauses, notes, timeouts, spend: (ms: number) => void (nowMs += ms) };
}
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

describe('a file behind http', () => {
  it.each([
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
    ['408', { status: 408 }],
    ['a connection that is reset', 'reset'],
    ['a body that breaks off', 'cut'],
  ] as const)('is read although the server gives %s nine times', async (_what, trouble) => {
    const href = await serve(...Array<Answer>(9).fill(trouble), 'ok');
    const { made, pauses, notes } = network();
    const source = await openHttpSource(href, { network: made });
    expect(source.size).toBe(BYTES.length);
    expect(await source.read(20_000, 50)).toEqual(BYTES.subarray(20_000, 20_050));
    expect(asked).toBe(11);
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(notes[0]).toMatch(/^waiting for 127\.0\.0\.1:\d+ \(.+\); next try in 1 s$/);
    expect(notes.at(-1)).toBeNull();
  });

  it('waits as long as Retry-After asks, in seconds or until a date', async () => {
    const href = await serve(
      { status: 429, retryAfter: '90' },
      { status: 503, retryAfter: 'Thu, 01 Jan 2026 00:02:30 GMT' },
      'ok',
    );
    const { made, pauses } = network();
    await openHttpSource(href, { network: made });
    // Somewhat longer, so that all readers do not come back in the same instant.
    expect(pauses[0]).toBe(90_500);
    expect(pauses[1]).toBeGreaterThanOrEqual(59_500);
    expect(pauses[1]).toBeLessThan(61_500);
  });

  it('is given up as unavailable once minutes have passed, not as a broken file, and no secret is told', async () => {
    const href = await serve({ status: 503 });
    const { made, pauses } = network({ patienceMs: 300_000 });
    const error: unknown = await openHttpSource(href, { network: made }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^http:\/\/127.*B04\.tif: no answer .*HTTP 503.*check the network/),
    });
    expect(String(error)).not.toContain('secret');
    expect(sum(pauses)).toBeGreaterThan(200_000);
    expect(sum(pauses)).toBeLessThanOrEqual(300_000);
  });

  it('is not waited for where Retry-After lies beyond all patience', async () => {
    const href = await serve({ status: 429, retryAfter: '7200' });
    const { made, pauses } = network();
    await expect(openHttpSource(href, { network: made })).rejects.toMatchObject({ code: 'unavailable' });
    expect(pauses).toEqual([]);
    expect(asked).toBe(1);
  });

  it('shares its patience with the others: waiting for all of them together ends', async () => {
    const href = await serve({ status: 503 });
    const { made, pauses } = network({ patienceMs: 32_000 });
    await expect(openHttpSource(href, { network: made })).rejects.toMatchObject({ code: 'unavailable' });
    const first = pauses.length;
    await expect(openHttpSource(href, { network: made })).rejects.toMatchObject({ code: 'unavailable' });
    expect(pauses.slice(first)).toEqual([500, 1000, 2000]);
  });

  it('times out request by request', async () => {
    const href = await serve('stall', 'ok');
    const { made, pauses, timeouts } = network({ timeoutMs: 20 });
    // The time of the first request is over when it has come to the server, that of the second one never.
    onStall = () => timeouts[0]?.over();
    await openHttpSource(href, { network: made });
    expect(pauses).toEqual([500]);
    expect(timeouts.map(({ ms }) => ms)).toEqual([20, 20]);
  });

  it.each([
    ['404', { status: 404 }, /HTTP 404/],
    ['403', { status: 403 }, /HTTP 403/],
    ['200 to a range', { status: 200 }, /ignores Range/],
  ] as const)('is broken at once where the server says %s', async (_what, answer, reason) => {
    const href = await serve(answer);
    const { made } = network();
    await expect(openHttpSource(href, { network: made })).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringMatching(reason),
    });
    expect(asked).toBe(1);
  });

  it('is broken at once where its address is none', async () => {
    await serve('ok');
    for (const href of ['http://user:pw@127.0.0.1:1/x.tif', 'http://[::1/x.tif'])
      await expect(openHttpSource(href, { network: network().made })).rejects.toMatchObject({ code: 'input_data' });
  });

  it('stops waiting when the run is cancelled', async () => {
    const href = await serve({ status: 503 });
    const stop = new AbortController();
    const tools = {
      ...stillClock().tools,
      sleep: () => Promise.resolve(stop.abort(new Error('cancelled by its owner'))),
    };
    const made = new Network({ settings: { allowedOrigins: [origin] }, tools });
    await expect(openHttpSource(href, { network: made, signal: stop.signal })).rejects.toThrow(
      'cancelled by its owner',
    );
    expect(asked).toBe(1);
  });
});
