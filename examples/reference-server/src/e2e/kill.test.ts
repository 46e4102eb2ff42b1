import { type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run, Stores } from '@headwater/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { openStores } from '../database.ts';
import { generateSample } from '../sample/generate-sample.ts';
import { between, chance } from '../sample/random.ts';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '../sample/sample-frame.ts';
import { clientOf, signIn, type Client } from './client.ts';
import { freePort, spawnServer, startServerProcess, type ServerProcess } from './server-process.ts';

/** Another sequence of random moments: HEADWATER_KILL_SEED=12345. */
const SEED = Number(process.env['HEADWATER_KILL_SEED'] ?? Math.floor(Math.random() * 1e6));
const PASSWORD = 'tall-river-42';

/**
 * In which part of its life a server is killed; the moment within is random. No run meets more than two kills on purpose:
 * three are `crashed_repeatedly`, which is right but not what is looked at here.
 */
const LIFE = ['start', 'composites', 'after', 'queued', 'publishing', 'after', 'start', 'publishing', 'composites', 'idle'] as const;
const KILLS = 20;

interface RunBody {
  readonly run_id: string;
  readonly state: Run['state'];
  readonly progress: number;
  readonly attempt: number;
}

let dataDir: string;
let token = '';
/** Every run id that a 202 has told. */
const promised = new Set<string>();
/** Longest time from spawn to health so far, ms. */
let startMs = 3000;

const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

async function start(): Promise<{ readonly server: ServerProcess; readonly client: Client }> {
  const server = await startServerProcess({ dataDir, env: { SUPERUSER_PASSWORD: PASSWORD } });
  startMs = Math.max(startMs, server.healthyAfterMs);
  if (token === '') {
    const [, username = ''] = await server.printed(/superuser {8}(test_user_\d{4})/, 60_000);
    token = (await signIn(server.baseUrl, username, PASSWORD)).token;
  }
  return { server, client: clientOf(server.baseUrl, token) };
}

/** Asks for land cover of one year or of all; identical requests in flight come back as one run. */
async function ask(client: Client, turn: number): Promise<void> {
  const [first, , last] = SAMPLE_YEARS;
  const years = chance(SEED, turn, 3) < 0.7 ? [last, last] : [first, last];
  const { state, district, tehsil: block } = SAMPLE_PLACE;
  const body = { state, district, block, start_year: years[0], end_year: years[1], eo_account_id: 1 };
  const answer = await client.post<{ run_id: string }>('/api/v1/lulc_for_tehsil/', body);
  if (answer.status === 202) promised.add(answer.body.run_id);
}

async function inFlight(client: Client): Promise<readonly RunBody[]> {
  const { body } = await client.get<{ results: RunBody[] }>('/api/v1/runs/?limit=100');
  return body.results.filter(({ state }) => state === 'queued' || state === 'running');
}

/** Looks at the runs until `enough`; a run always makes progress, so this ends or the test's time does. */
async function until(client: Client, enough: (runs: readonly RunBody[]) => boolean): Promise<void> {
  while (!enough(await inFlight(client))) await pause(40);
}

const working = (from: number) => (runs: readonly RunBody[]): boolean =>
  runs.length === 0 || runs.some(({ state, progress }) => state === 'running' && progress >= from);
const ended = (runs: readonly RunBody[]): boolean => runs.length === 0;

/** Brings a server to a part of its life and kills it at a random moment there; returns a line about it. */
async function liveAndDie(turn: number): Promise<string> {
  const part = LIFE[turn % LIFE.length] ?? 'idle';
  const within = (ms: number): number => between(0, ms, [SEED, turn, 1]);
  if (part === 'start') {
    const wait = within(startMs);
    const child = spawnServer({ dataDir, env: { SUPERUSER_PASSWORD: PASSWORD } }, await freePort());
    await pause(wait);
    await kill(child);
    return `${part}: ${wait.toFixed(0)} ms after it began`;
  }
  const { server, client } = await start();
  if (part !== 'idle' && (await inFlight(client)).length === 0 && part !== 'queued') await ask(client, turn);
  const [wait, what] = await momentIn(part, client, { within, turn });
  await pause(wait);
  await server.stop('SIGKILL');
  return `${part}: ${wait.toFixed(0)} ms after ${what}`;
}

interface Turn {
  readonly within: (ms: number) => number;
  readonly turn: number;
}

async function momentIn(part: Exclude<(typeof LIFE)[number], 'start'>, client: Client, { within, turn }: Turn): Promise<[number, string]> {
  switch (part) {
    case 'queued':
      // Not waited for: the kill may come before the answer, and before the run is stored.
      ask(client, turn).catch(() => {});
      return [within(400), 'the request was sent'];
    case 'composites':
      await until(client, working(0.01));
      return [within(2500), 'the first progress'];
    case 'publishing':
      await until(client, working(0.7));
      return [within(1100), 'the composites of the last year'];
    case 'after':
      await until(client, ended);
      return [within(200), 'the last run had ended'];
    case 'idle':
      await until(client, ended);
      return [within(1000), 'the last run had ended'];
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode != null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Everything stored, read when no server has it. */
async function stored<T>(look: (stores: Stores) => Promise<T>): Promise<T> {
  const quiet = (): void => {};
  const stores = await openStores(readConfig({ DATA_DIR: dataDir }), { debug: quiet, info: quiet, error: console.error });
  try {
    return await look(stores);
  } finally {
    await stores.close();
  }
}

const allRuns = async ({ runs }: Stores): Promise<readonly Run[]> => (await runs.list({ limit: 1000, offset: 0 })).runs;

async function attemptFolders(): Promise<readonly string[]> {
  const root = join(dataDir, 'assets');
  const runs = await readdir(root);
  return (await Promise.all(runs.map(async (run) => (await readdir(join(root, run))).map((attempt) => `${run}/${attempt}`)))).flat().sort();
}

beforeAll(async () => {
  console.log(`killing with seed ${SEED}; HEADWATER_KILL_SEED=${SEED} repeats it`);
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-kill-'));
  await generateSample({ dataDir, signal: new AbortController().signal, progress: () => {} });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('a service that dies', () => {
  it(`${KILLS} times at random moments loses no run and publishes none twice`, async () => {
    for (let turn = 0; turn < KILLS; turn += 1) console.log(`kill ${turn + 1}, ${await liveAndDie(turn)}`);
    const { server, client } = await start();
    try {
      await until(client, ended);
      await everyAssetIsWhole(client);
    } finally {
      await server.stop('SIGTERM');
    }
    const runs = await stored(checkRuns);
    console.log(`${runs.length} runs, ${runs.filter(({ attempt }) => attempt > 1).length} of them in more than one attempt`);
    expect(runs.filter(({ attempt }) => attempt > 1).length, 'kills hit runs at work').toBeGreaterThan(0);
  }, 240_000);

  it('leaves no files of dead attempts and no scratch rasters after the next start', async () => {
    const { server } = await start();
    await server.printed(/superuser {8}/, 60_000);
    const { code } = await server.stop('SIGTERM');
    expect(code).toBe(0);
    const live = await stored(({ runs }) => runs.liveAttempts());
    expect(await attemptFolders()).toEqual(live.map(({ id, token: attempt }) => `${id}/${attempt}`).sort());
    expect(await readdir(join(dataDir, 'scratch')).catch(() => [])).toEqual([]);
  }, 60_000);

  it('in good order (SIGTERM) puts its run back without using up an attempt, and the next start finishes it', async () => {
    const first = await start();
    await ask(first.client, -1);
    await until(first.client, working(0.01));
    const [run] = await inFlight(first.client);
    const { code, ms } = await first.server.stop('SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(5000);
    expect(await stored(({ runs }) => runs.get(run?.run_id ?? ''))).toMatchObject({ state: 'queued', attempt: 0, error: null });
    const second = await start();
    await until(second.client, ended);
    const { body } = await second.client.get<RunBody>(`/api/v1/runs/${run?.run_id ?? ''}/`);
    expect(body).toMatchObject({ state: 'success', attempt: 1 });
    await second.server.stop('SIGTERM');
  }, 90_000);
});

/** Checks of the runs, their events and the versions of what they published. */
async function checkRuns(stores: Stores): Promise<readonly Run[]> {
  const runs = await allRuns(stores);
  const ids = new Set(runs.map(({ id }) => id));
  expect([...promised].filter((id) => !ids.has(id)), 'promised runs that are gone').toEqual([]);
  const failed = runs.filter(({ state }) => state !== 'success');
  for (const run of failed) expect(run).toMatchObject({ state: 'failed', attempt: 3, error: { code: 'crashed_repeatedly' } });
  expect(failed.length, 'runs that three kills hit').toBeLessThan(3);
  const versions = new Map<string, number>();
  for (const run of runs.toReversed()) {
    const events = await stores.runs.events(run.id, 0, 10_000);
    const ends = events.filter(({ kind, data }) => kind === 'state' && (data['state'] === 'success' || data['state'] === 'failed'));
    expect(ends.map(({ data }) => data['state']), run.id).toEqual([run.state]);
    expect(events.map(({ seq }) => seq), run.id).toEqual(events.map((_, index) => index + 1));
    for (const id of run.itemIds) versions.set(id, (versions.get(id) ?? 0) + 1);
  }
  expect(versions.size).toBe(SAMPLE_YEARS.length + 1);
  for (const [id, version] of versions) {
    const item = await stores.catalog.itemById(id);
    expect([item?.version, item?.item['id']], id).toEqual([version, id]);
    const { tehsil } = SAMPLE_PLACE;
    expect(item?.collectionPath).toContain(tehsil.toLowerCase());
  }
  return runs;
}

interface Asset {
  readonly href: string;
  readonly 'file:checksum'?: string;
}

/** Fetches each asset of each published Item and compares it with its checksum (multihash, sha2-256: `1220` and the digest). */
async function everyAssetIsWhole(client: Client): Promise<void> {
  const page = await client.get<{ results: (RunBody & { item_ids: string[] })[] }>('/api/v1/runs/?limit=100&state=success');
  const bodies = await Promise.all(
    page.body.results.map(({ run_id: id }) => client.get<{ stac_items: { id: string; assets: Record<string, Asset> }[] }>(`/api/v1/runs/${id}/`)),
  );
  const items = new Map(bodies.flatMap(({ body }) => body.stac_items).map((item) => [item.id, item]));
  expect(items.size).toBe(SAMPLE_YEARS.length + 1);
  let checked = 0;
  for (const asset of [...items.values()].flatMap((item) => Object.values(item.assets))) {
    const answer = await fetch(asset.href);
    const body = new Uint8Array(await answer.arrayBuffer());
    expect([answer.status, asset.href]).toEqual([200, asset.href]);
    if (asset['file:checksum'] == null) continue;
    expect([asset.href, asset['file:checksum']]).toEqual([asset.href, `1220${createHash('sha256').update(body).digest('hex')}`]);
    checked += 1;
  }
  expect(checked).toBeGreaterThanOrEqual(items.size);
}
