import { Agent, type ClientRequest, request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writePlace } from '@headwater/ingest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenOnLoopback, type Loopback } from '../scripts/loopback.mjs';
import { smallPlace } from '../packages/server/src/small-world.fixture.ts';
import { signIn } from './client.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { HEALTH_BAR_MS, watching } from './watch-health.fixture.ts';

// Attacks by callers without an account, who must not harm other callers.

const PASSWORD = 'tall-river-42';
const EXPORT = '/api/export-asset';
/** Number of connections of an attack: the default of MAX_CONNECTIONS. */
const CROWD = 2000;
/** Largest number of calls of an attack whose connections the server may close to accept other callers. */
const MOST_CLOSED = 20;
/** Largest growth of the server's memory during one attack, bytes. */
const GROWTH_BAR = 250 * 1024 * 1024;
/** Limit for a sign-in, ms: twice the limit for health checks. On a busy machine, both limits are higher. */
const SIGN_IN_BAR_MS = 2 * HEALTH_BAR_MS;

let dataDir = '';
let api: Loopback | undefined;
let server: ServerProcess;
let username = '';
let key = '';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-strangers-'));
  await writePlace(join(dataDir, 'places', 'p'), smallPlace('Jalsrota'));
  // This API never responds, so runs wait for it until the server stops.
  api = await listenOnLoopback(() => {});
  server = await startServerProcess({
    dataDir,
    env: {
      HEADWATER_SAMPLE: 'off',
      SUPERUSER_PASSWORD: PASSWORD,
      EO_STAC_API_URL: `${api.origin}/v1`,
      WORK_SERVICE_AT_ONCE: '2',
    },
  });
  [, username = ''] = await server.printed(/superuser +(test_user_\d{4})/, 100_000);
  const client = await signIn(server.baseUrl, username, PASSWORD);
  const made = await client.post<{ readonly data: { readonly api_key: string } }>('/api/v1/generate_api_key/', {});
  key = made.body.data.api_key;
}, 200_000);
afterAll(async () => {
  await server.stop('SIGKILL');
  await api?.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Call {
  readonly body: unknown;
  /** Client address of the call, in 127.0.0.0/8. */
  readonly from: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Simultaneous calls, each on its own connection. */
interface Crowd {
  /** Responses by status, without connections that the server closed to accept other callers. */
  readonly counts: () => Readonly<Record<string, number>>;
  readonly answered: () => number;
  readonly end: () => void;
}

const BURST = 250;
/** Pause between bursts of calls, short so that the whole crowd arrives within a second. */
const BURST_PAUSE_MS = 5;

async function crowdOf(calls: readonly Call[]): Promise<Crowd> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const counts: Record<string, number> = {};
  let closed = 0;
  const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  const send = ({ body, from, headers }: Call) => {
    const text = JSON.stringify(body);
    const call = request(server.baseUrl.replace('localhost', '127.0.0.1') + EXPORT, {
      agent,
      method: 'POST',
      localAddress: from,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
    });
    call.on('response', (answer) => {
      count(String(answer.statusCode));
      answer.resume();
    });
    call.on('error', () => void (closed += 1));
    call.end(text);
    return call;
  };
  const sent: ClientRequest[] = [];
  for (let from = 0; from < calls.length; from += BURST) {
    sent.push(...calls.slice(from, from + BURST).map(send));
    await pause(BURST_PAUSE_MS);
  }
  return {
    counts: () => ({ ...counts }),
    answered: () => Object.values(counts).reduce((sum, each) => sum + each, closed),
    end: () => {
      for (const call of sent) call.destroy();
      agent.destroy();
    },
  };
}

/** Returns the longest durations of sign-ins and reads until `work` is done, ms. */
async function othersDuring(
  work: () => Promise<void>,
): Promise<{ readonly signInMs: number; readonly readMs: number }> {
  let [signInMs, readMs] = [0, 0];
  const done = new AbortController();
  const others = async (): Promise<void> => {
    do {
      const start = performance.now();
      await signIn(server.baseUrl, username, PASSWORD);
      signInMs = Math.max(signInMs, performance.now() - start);
      const read = performance.now();
      const { status } = await fetch(`${server.baseUrl}/api/v1/get_active_locations/`, {
        headers: { 'x-api-key': key },
      });
      expect(status).toBe(200);
      readMs = Math.max(readMs, performance.now() - read);
      await pause(50);
    } while (!done.signal.aborted);
  };
  const other = others();
  try {
    await Promise.race([work(), other]);
  } finally {
    done.abort();
    await other;
  }
  return { signInMs, readMs };
}

async function expectUnaffected(calls: readonly Call[], isOver: (crowd: Crowd) => boolean): Promise<Crowd['counts']> {
  const { peakBytes: before } = await watching(server, async () => {});
  let crowd: Crowd | undefined;
  try {
    let others = { signInMs: 0, readMs: 0 };
    const vitals = await watching(server, async () => {
      others = await othersDuring(async () => {
        const attack = await crowdOf(calls);
        crowd = attack;
        await expect.poll(() => isOver(attack) || attack.counts(), { timeout: 120_000, interval: 100 }).toBe(true);
        // Continues the measurement while the calls without a response wait for their run.
        await pause(2000);
      });
    });
    const growth = (vitals.peakBytes - before) / 1024 / 1024;
    const { signInMs, readMs } = others;
    console.log(
      `${JSON.stringify(crowd?.counts())}: health ${vitals.slowestMs.toFixed(0)} ms (bar ${HEALTH_BAR_MS}), sign-in ${signInMs.toFixed(0)} ms ` +
        `(bar ${SIGN_IN_BAR_MS}), read ${readMs.toFixed(0)} ms, memory + ${growth.toFixed(0)} MB`,
    );
    expect(vitals.failures).toEqual([]);
    expect(vitals.slowestMs).toBeLessThan(HEALTH_BAR_MS);
    expect(signInMs).toBeLessThan(SIGN_IN_BAR_MS);
    expect(vitals.peakBytes - before).toBeLessThan(GROWTH_BAR);
    return crowd?.counts ?? (() => ({}));
  } finally {
    crowd?.end();
  }
}

/** A few calls may be missing, because the server may have closed connections. */
function expectAll(counts: Readonly<Record<string, number>>, expected: Readonly<Record<string, number>>): void {
  expect(Object.keys(counts)).toEqual(Object.keys(expected));
  for (const [status, count] of Object.entries(expected)) {
    expect(counts[status]).toBeLessThanOrEqual(count);
    expect(counts[status]).toBeGreaterThanOrEqual(count - MOST_CLOSED);
  }
}

const callsOf = (call: (at: number) => Call): readonly Call[] => Array.from({ length: CROWD }, (_, at) => call(at));
const REGION = [77.98, 17.5, 77.99, 17.51] as const;
const joined = { region: REGION, year: 2021 };
const regionAt = (step: number): readonly number[] => [
  60 + (step % 400) / 10,
  10 + Math.floor(step / 400) / 10,
  60.02 + (step % 400) / 10,
  10.02 + Math.floor(step / 400) / 10,
];

describe('two thousand callers without an account', () => {
  it('get the task id of an existing run that they all request from one address; only five callers may wait for its end', async () => {
    const calls = callsOf(() => ({ body: joined, from: '127.0.0.1' }));
    const counts = await expectUnaffected(calls, (crowd) => crowd.answered() >= CROWD - 5);
    expectAll(counts(), { 202: CROWD - 5 });
  }, 240_000);

  it('get the task id of an existing run that they request from 398 addresses; only fifty callers may wait for its end', async () => {
    const calls = callsOf((at) => ({ body: joined, from: `127.0.${1 + (at % 2)}.${1 + (at % 199)}` }));
    const counts = await expectUnaffected(calls, (crowd) => crowd.answered() >= CROWD - 50);
    expectAll(counts(), { 202: CROWD - 50 });
  }, 240_000);

  it('get only five places in the queue if they request two thousand regions from one address, and leave places for other addresses', async () => {
    const calls = callsOf((at) => ({ body: { region: regionAt(at), year: 2021, wait: false }, from: '127.0.0.1' }));
    const counts = await expectUnaffected(calls, (crowd) => crowd.answered() >= CROWD);
    // A previous run takes one of the five places in the queue.
    const { 202: taken = 0 } = counts();
    expect(taken).toBe(4);
    expectAll(counts(), { 202: taken, 429: CROWD - taken });
    const other = await crowdOf([{ body: { region: regionAt(5000), year: 2021, wait: false }, from: '127.0.0.9' }]);
    await expect.poll(other.counts).toEqual({ 202: 1 });
    other.end();
  }, 240_000);

  it('are all refused if they call through a proxy that is not trusted', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const calls = callsOf((at) => ({ body: { region: regionAt(at), year: 2021 }, from: '127.0.0.1', headers }));
    const counts = await expectUnaffected(calls, (crowd) => crowd.answered() >= CROWD);
    expectAll(counts(), { 403: CROWD });
  }, 240_000);
});
