import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '@headwater/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../packages/server/src/config/read-config.ts';
import { openStores, openStoresBeside } from '../packages/server/src/database.ts';
import { between, chance, SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import { clientOf, signIn, type Client } from './client.ts';
import { checkLeftovers, checkRuns, expectCompleteAssets, type RunBody } from './kill-checks.fixture.ts';
import { freePort, spawnServer, startServerProcess, type ServerProcess } from './server-process.ts';
import { crowding } from '../scripts/cpu-time.mjs';
import { sized } from '../scripts/test-length.mjs';

/** HEADWATER_KILL_SEED=12345 sets another seed. */
const SEED = Number(process.env['HEADWATER_KILL_SEED'] ?? Math.floor(Math.random() * 1e6));

/**
 * Phases of the kills, in turn. A run that is interrupted three times ends as `crashed_repeatedly`; at
 * most two runs may end so.
 */
const LIFE = [
  'composites',
  'start',
  'queued',
  'publishing',
  'after',
  'idle',
  'start',
  'publishing',
  'composites',
  'after',
] as const;
const KILLS = sized(6, 20);

let dataDir: string;
let token = '';
/** Ids of all runs for which the service responded 202. */
const promised = new Set<string>();
/** Duration of the latest complete start, ms. */
let startMs = 3000;
const servers: ServerProcess[] = [];
let running: Started | undefined;

const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

interface Started {
  readonly server: ServerProcess;
  readonly client: Client;
}

async function start(): Promise<Started> {
  const server = await startServerProcess({ dataDir, makesSample: true });
  servers.push(server);
  startMs = server.healthyAfterMs;
  return { server, client: clientOf(server.baseUrl, token) };
}

/** Requests land cover with `overwrite`, because the service would otherwise return the stored result. */
async function requestLandCover(client: Client, allYears = true): Promise<void> {
  const [first, , last] = SAMPLE_YEARS;
  const years = [allYears ? first : last, last];
  const { state, district, tehsil: block } = SAMPLE_PLACE;
  const body = { state, district, block, start_year: years[0], end_year: years[1], eo_account_id: 1, overwrite: true };
  const answer = await client.post<{ run_id: string }>('/api/v1/lulc_for_tehsil/', body);
  if (answer.status === 202) promised.add(answer.body.run_id);
}

async function inFlight(client: Client): Promise<readonly RunBody[]> {
  const { body } = await client.get<{ results: RunBody[] }>('/api/v1/runs/?limit=100&parent=any');
  return body.results.filter(({ state }) => state === 'queued' || state === 'running');
}

async function until(client: Client, enough: (runs: readonly RunBody[]) => boolean): Promise<void> {
  while (!enough(await inFlight(client))) await pause(40);
}

const ended = (runs: readonly RunBody[]): boolean => runs.length === 0;

/**
 * A phase of the kills. `begin` waits for the start of the phase, `ms` is the longest delay until the kill, and `after`
 * describes the start.
 */
interface Phase {
  readonly begin: (client: Client, round: number) => Promise<void>;
  readonly ms: number;
  readonly after: string;
}

const PHASES: Readonly<Record<Exclude<(typeof LIFE)[number], 'start'>, Phase>> = {
  queued: {
    // The request is not awaited, because the kill may come before the response.
    begin: async (client, round) => void requestLandCover(client, chance(SEED, round, 3) < 0.5).catch(() => {}),
    ms: 400,
    after: 'the request was sent',
  },
  composites: { begin: (client) => workUntil(client, 0.01), ms: 1800, after: 'the first progress' },
  publishing: { begin: (client) => workUntil(client, 0.7), ms: 900, after: 'the composites of the last year' },
  after: { begin: (client) => workUntil(client, 1), ms: 200, after: 'the last run had ended' },
  idle: { begin: (client) => until(client, ended), ms: 1000, after: 'the last run had ended' },
};

async function workUntil(client: Client, progress: number, allYears = true): Promise<void> {
  if ((await inFlight(client)).length === 0) await requestLandCover(client, allYears);
  await until(client, (runs) => ended(runs) || runs.some((run) => run.state === 'running' && run.progress >= progress));
}

async function runAndKill(round: number): Promise<string> {
  const phase = LIFE[round % LIFE.length] ?? 'idle';
  if (phase === 'start') return killAtStart(between(0, startMs, [SEED, round, 1]));
  const { server, client } = running ?? (await start());
  running = undefined;
  const { begin, ms, after } = PHASES[phase];
  await begin(client, round);
  const wait = between(0, ms, [SEED, round, 1]);
  await pause(wait);
  await server.stop('SIGKILL');
  return `${phase}: ${wait.toFixed(0)} ms after ${after}`;
}

async function killAtStart(ms: number): Promise<string> {
  const child = await spawnServer({ dataDir }, await freePort());
  await pause(ms);
  await kill(child);
  return `start: ${ms.toFixed(0)} ms after it began`;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Reads from the stores. If no server is running, this process opens the embedded database itself. */
async function stored<T>(read: (stores: Stores) => Promise<T>, isRunning = true): Promise<T> {
  const config = readConfig({ DATA_DIR: dataDir });
  const stores = await (isRunning ? openStoresBeside(config) : openStores(config, { onDeath: console.error }));
  try {
    return await read(stores);
  } finally {
    await stores.close();
  }
}

beforeAll(async () => {
  console.log(`seed of the kills: ${SEED}; repeat with HEADWATER_KILL_SEED=${SEED}`);
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-kill-'));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  await rm(dataDir, { recursive: true, force: true });
});

describe('a service that is killed', () => {
  it('while it creates its sample: creates it again, and the printed password stays valid', async () => {
    // This start uses a prepared database, so it creates only the sample.
    const { server: first } = await start();
    const printed = await first.printed(/superuser {8}(test_user_\d{4})\n {2}password {9}(\S+)\n/, 10_000);
    await first.printed(/"percent":[1-9]0,"step":"scenes","msg":"sample data"/, 60_000);
    await first.stop('SIGKILL');
    const unfinished = async (): Promise<number> =>
      (await readdir(dataDir)).filter((name) => name.startsWith('.sample-')).length;
    expect(await unfinished()).toBe(1);
    const { server } = await start();
    const client = await signIn(server.baseUrl, printed[1] ?? '', printed[2] ?? '');
    ({ token } = client);
    running = { server, client };
    await server.printed(/sample data are generated/, 150_000);
    expect(await unfinished()).toBe(0);
    // The server prints this line after the import of the sample's place.
    await server.printed(/curl -s/, 60_000);
  }, 240_000);

  it('at many random moments: loses no run and publishes no run twice', async () => {
    for (let round = 0; round < KILLS; round += 1) console.log(`kill ${round + 1}, ${await runAndKill(round)}`);
    running = await start();
    const { server, client } = running;
    // The server prints this line after the runs of the sample.
    await server.printed(/\n {2}Open http/, 240_000);
    await until(client, ended);
    await expectCompleteAssets(client);
    const runs = await stored((stores) => checkRuns(stores, promised));
    console.log(
      `${runs.length} runs, ${runs.filter(({ attempt }) => attempt > 1).length} of them in more than one attempt`,
    );
    expect(runs.filter(({ attempt }) => attempt > 1).length, 'some kills interrupt running runs').toBeGreaterThan(0);
  }, 400_000);

  it('while it computes all layers of a map: continues, and computes no published layer twice', async () => {
    const [first, [from, to]] = [running ?? (await start()), SAMPLE_YEARS.slice(-2)];
    const { state, district, tehsil: block } = SAMPLE_PLACE;
    const order = { state, district, block, gee_account_id: 1, map: 'map_2_2', overwrite: true };
    const { status, body } = await first.client.post<{ run_id: string; runs: readonly { run_id: string }[] }>(
      '/api/v1/generate_layer_in_order/',
      { ...order, start_year: from, end_year: to },
    );
    expect([status, body]).toMatchObject([200, { runs: Array.from({ length: 7 }, () => ({})) }]);
    const list = ({ get }: Client) => get<{ results: RunBody[] }>('/api/v1/runs/?limit=100&parent=any');
    const [landCover] = body.runs;
    await until(first.client, (runs) =>
      runs.some(({ run_id: id, progress }) => id === landCover?.run_id && progress > 0.05),
    );
    await first.server.stop('SIGKILL');
    const next = await start();
    await until(next.client, (runs) => runs.every(({ run_id: id }) => id !== landCover?.run_id));
    await next.server.stop('SIGKILL');
    const last = await start();
    running = last;
    await until(last.client, ended);
    const ids = new Set([body.run_id, ...body.runs.map(({ run_id: id }) => id)]);
    const runs = (await list(last.client)).body.results.filter(({ run_id: id }) => ids.has(id));
    expect(runs.map(({ state }) => state)).toEqual(Array.from(ids, () => 'success'));
    expect(runs.find(({ run_id: id }) => id === landCover?.run_id)).toMatchObject({ attempt: 2 });
  }, 400_000);

  it('by SIGTERM: returns its run to the queue without using up an attempt, and the next start finishes it', async () => {
    const first = running ?? (await start());
    // A run of an earlier case may still be running.
    await until(first.client, ended);
    await workUntil(first.client, 0.01, false);
    const [run] = await inFlight(first.client);
    const { code, ms } = await first.server.stop('SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(5000 * crowding());
    expect(await stored(({ runs }) => runs.get(run?.run_id ?? ''), false)).toMatchObject({
      state: 'queued',
      attempt: 0,
      error: null,
    });
    const second = await start();
    await until(second.client, ended);
    const { body } = await second.client.get<RunBody>(`/api/v1/runs/${run?.run_id ?? ''}/`);
    expect(body).toMatchObject({ state: 'success', attempt: 1 });
    await second.server.printed(/\n {2}Open http/, 60_000);
    expect((await second.server.stop('SIGTERM')).code).toBe(0);
  }, 120_000);

  it('leaves no files of dead attempts and no scratch rasters after the next start', async () => {
    await stored((stores) => checkLeftovers(stores, dataDir), false);
  }, 60_000);
});
