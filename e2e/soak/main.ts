// npm run test:soak [-- --minutes 20 --warm-up 10 --write]: mixed load on a service. Fails if memory, handles, files or
// delays grow after the warm-up, if old rows are not removed, or if requests get unexpected statuses.
// SOAK_SNAPSHOTS=5,15 writes heap snapshots (probe.ts).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '@headwater/postgres';
import { findPostgres } from '../../scripts/postgres-cluster.mjs';
import { openWorkerYard, TIMEOUT_MS, type WorkerYard } from '../worker-yard.fixture.ts';
import { type Counts, sendLoads, type Visit } from './loads.ts';
import { report } from './report.ts';
import { age, rowsOf, Samples } from './samples.ts';
import { judge, type Verdict } from './series.ts';

const options = {
  minutes: { type: 'string', default: '20' },
  'warm-up': { type: 'string', default: '10' },
  write: { type: 'boolean', default: false },
} as const;
const { values } = parseArgs({ options });
const MINUTES = Number(values.minutes);
const WARM_UP = Number(values['warm-up']);
const SAMPLE_MS = 5000;
const ROWS_EVERY = 6;
const PASSWORD = 'tall-river-4711';
/** Age of stored times, in days: longer than every period after which rows or files are removed. */
const AGED_DAYS = 1000;

async function soak(yard: WorkerYard, folder: string): Promise<readonly string[]> {
  const probeFile = join(folder, 'probe.jsonl');
  await writeFile(probeFile, '');
  const probe = new URL('probe.ts', import.meta.url).href;
  const snapshots = process.env['SOAK_SNAPSHOTS'] ?? '';
  const watched = { NODE_OPTIONS: `--import=${probe}`, SOAK_PROBE: probeFile, SOAK_SNAPSHOTS: snapshots };
  const env = { ...watched, REPLACED_FILES_HOURS: '0' };
  const server = await yard.start(env);
  const worker = await yard.startWorker(env);
  await server.printed(/Open http/, TIMEOUT_MS);
  const client = await yard.signIn(server);
  const [, username = ''] = await server.printed(/superuser {8}(\S+)\n/, TIMEOUT_MS);
  const key = await client.post<{ data: { api_key: string } }>('/api/v1/generate_api_key/', {});
  const visit: Visit = { ...client, apiKey: key.body.data.api_key, username, password: PASSWORD, folder };

  const database = openDatabase(connectionOf(yard), { poolSize: 1 });
  try {
    const pids = { service: server.pid, worker: worker.pid };
    const samples = new Samples({ pids, probeFile, dataDir: yard.dataDir, database });
    const first = await samples.takeRows();
    const end = performance.now() + (WARM_UP + MINUTES) * 60_000;
    const isOver = (): boolean => performance.now() >= end;
    const sampling = sampleUntil(samples, isOver);
    const counts = await sendLoads(visit, isOver);
    await sampling;
    for (const each of [server, worker]) await each.stop('SIGTERM');
    const last = await rowsOf(database);
    const load = loadavg()[1] ?? 0;
    const verdicts = samples.series.map((series) => judge(series, WARM_UP * 60));
    const write = async (kept: ReadonlyMap<string, number>): Promise<string> => {
      const outcome = { counts, verdicts, minutes: MINUTES, warmUp: WARM_UP, rows: { first, last, kept } };
      const { markdown, svg } = report(outcome, `${availableParallelism()} cores, load ${load.toFixed(1)}`);
      const target = values.write ? fileURLToPath(new URL('../../docs/soak/', import.meta.url)) : folder;
      await writeFile(join(target, 'soak.svg'), svg);
      await writeFile(join(target, 'README.md'), markdown);
      return markdown;
    };
    // The report is written before old rows are removed, because a failed removal must not lose the measurements.
    await write(last);
    const kept = await rowsAfterAging(yard, database, env);
    console.log(await write(kept));
    return [...grown(verdicts), ...refused(counts), ...left(first, kept)];
  } finally {
    await database.close();
  }
}

function connectionOf(yard: WorkerYard): Parameters<typeof openDatabase>[0] {
  const { DB_HOST: host = '', DB_NAME: database = '', DB_USER: user = '' } = yard.env;
  return { host, port: 5432, database, user };
}

async function sampleUntil(samples: Samples, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    await samples.take();
    if (turn % ROWS_EVERY === 0) await samples.takeRows();
    await pause(SAMPLE_MS);
  }
}

/**
 * Moves all stored times into the past, so that the service removes old rows. Returns the numbers of rows that remain.
 */
async function rowsAfterAging(
  yard: WorkerYard,
  database: Database,
  env: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, number>> {
  await age(database, AGED_DAYS);
  const server = await yard.start(env);
  const worker = await yard.startWorker(env);
  const client = await yard.signIn(server);
  // The service removes records of old failed sign-ins at the next failed sign-in.
  await client.post('/api/v1/auth/login/', { username: 'unknown', password: PASSWORD });
  let rows = await rowsOf(database);
  for (let before = -1; before !== sum(rows); rows = await rowsOf(database)) {
    before = sum(rows);
    await pause(SAMPLE_MS);
  }
  for (const each of [server, worker]) await each.stop('SIGTERM');
  return rows;
}

const sum = (rows: ReadonlyMap<string, number>): number => [...rows.values()].reduce((a, b) => a + b, 0);

const grown = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts
    .filter(({ isFlat }) => !isFlat)
    .map(({ name, growth, bar }) => `${name} grew by ${growth}; at most ${bar} is allowed`);

function refused(counts: ReadonlyMap<string, Counts>): readonly string[] {
  const expected = { 'unknown names': /^(401|429)$/, 'sign-ins': /^(200|429)$/ } as Readonly<Record<string, RegExp>>;
  return [...counts].flatMap(([name, statuses]) =>
    [...statuses]
      .filter(([status]) => !(expected[name] ?? /^20[02]$/).test(status))
      .map(([status, count]) => `${name}: ${count} times ${status}`),
  );
}

const EVENTS_OF_A_RUN = 15;

/**
 * Returns a line for each table with too many remaining rows. Rows may remain from before the load, from the
 * import, from the last sign-ins, and from runs with published Items.
 */
const left = (first: ReadonlyMap<string, number>, kept: ReadonlyMap<string, number>): readonly string[] =>
  [...kept]
    .filter(([table, count]) => {
      const ofRuns = table === 'run_events' ? EVENTS_OF_A_RUN * (kept.get('runs') ?? 0) : 0;
      return count > Math.max((first.get(table) ?? 0) + 30, ofRuns);
    })
    .map(([table, count]) => `${count - (first.get(table) ?? 0)} rows of ${table} stay after ${AGED_DAYS} days`);

const { make, missing } = findPostgres();
if (make === undefined) {
  console.log(`skipped: the soak test. ${missing}`);
  process.exit(process.env['CI'] === 'true' ? 1 : 0);
}
const folder = await mkdtemp(join(tmpdir(), 'headwater-soak-'));
const yard = await openWorkerYard(make);
try {
  const problems = await soak(yard, folder);
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'test:soak: everything is flat' : 'test:soak: failed');
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await yard.close();
  await rm(folder, { recursive: true, force: true });
}
