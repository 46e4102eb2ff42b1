import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createOrchestratorClient, type PassNote } from '@headwater/orchestrator-client';
import { FakeOrchestrator, type FakeRun, VirtualClock } from '@headwater/orchestrator-client/testing';
import { isWanted } from '../options.ts';
import { judge } from '../table.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

const DAG = 'land_cover';
/** Share of the watched runs that change their state in one interval, 0-1. */
const SHARE = 0.01;
const INTERVAL_MS = 4000;
const INTERVALS = 30;
const BARS = { orchestrator_poller: 10, orchestrator_poller_gets: 1, orchestrator_poller_heap: 200 } as const;
type Row = keyof typeof BARS;
const UNITS: Readonly<Record<Row, string>> = {
  orchestrator_poller: 'lists/interval',
  orchestrator_poller_gets: 'GETs/ended run',
  orchestrator_poller_heap: 'MiB',
};
const NAMES: readonly Row[] = ['orchestrator_poller', 'orchestrator_poller_gets', 'orchestrator_poller_heap'];

/** Requests and memory for watching 10,000 runs at an orchestrator. */
export const orchestratorRows: RowGroup = { names: NAMES, run };

async function run({ options, checks }: RowContext): Promise<BenchResult[]> {
  const count = options.quick ? 1000 : 10_000;
  const { passes, ended, reported, heap } = await watch(count);
  checks.close('orchestrator_poller, reported ends', { ours: reported, peer: ended }, 0);
  const gets = passes.reduce((sum, { runCalls }) => sum + runCalls, 0) / ended;
  const figures = {
    orchestrator_poller: passes
      .map(({ listCalls }) => listCalls)
      .sort((a, b) => b - a)
      .slice(0, 1),
    orchestrator_poller_gets: [gets],
    orchestrator_poller_heap: [heap / 2 ** 20],
  };
  const peer = { name: 'a GET of each watched run', rounds: [count] };
  return NAMES.filter((name) => isWanted(name, options)).map((name) =>
    judge({
      name,
      unit: UNITS[name],
      better: 'less',
      bar: BARS[name],
      ceiling: true,
      ours: figures[name],
      peer: name === 'orchestrator_poller' ? peer : undefined,
    }),
  );
}

interface Watched {
  readonly passes: readonly PassNote[];
  readonly ended: number;
  readonly reported: number;
  /** Heap of client, fake orchestrator and runs after a garbage collection, bytes. */
  readonly heap: number;
}

/** Polls for `INTERVALS` intervals, in which runs change their state. A new run replaces each ended run. */
async function watch(count: number): Promise<Watched> {
  const clock = new VirtualClock();
  const fake = new FakeOrchestrator({ dags: [{ id: DAG, tasks: [], isManual: true }], clock });
  const credentials = { username: 'admin', password: 'admin' };
  const watcher = createOrchestratorClient({ baseUrl: fake.baseUrl, credentials, clock, fetch: fake.fetch }).watcher();
  const add = (): FakeRun => {
    const run = fake.world.addRun(DAG, { conf: { job_id: crypto.randomUUID() } });
    watcher.add(run);
    return run;
  };
  const queued = Array.from({ length: count }, add);
  const running = queued.splice(0, count / 2);
  for (const run of running) fake.world.setState(run, 'running');
  await pollUntilKnown(watcher, clock);
  let [ended, reported] = [0, 0];
  const passes: PassNote[] = [];
  watcher.on('finished', () => (reported += 1));
  watcher.on('pass', (note) => passes.push(note));
  for (let interval = 0; interval < INTERVALS; interval++) {
    await clock.sleep(INTERVAL_MS);
    const ends = running.splice(0, (count * SHARE) / 2);
    for (const run of ends) fake.world.setState(run, 'success');
    ended += ends.length;
    const begins = queued.splice(0, ends.length);
    for (const run of begins) fake.world.setState(run, 'running');
    running.push(...begins);
    queued.push(...ends.map(add));
    await watcher.poll();
    fake.requests.length = 0;
  }
  return { passes, ended, reported, heap: collectedHeap() };
}

/** Polls for 40 intervals. After that, the lists of recently changed runs no longer contain the first runs. */
async function pollUntilKnown(watcher: { readonly poll: () => Promise<void> }, clock: VirtualClock): Promise<void> {
  const first = 40;
  for (let pass = 0; pass < first; pass++) {
    await watcher.poll();
    await clock.sleep(INTERVAL_MS);
  }
}

function collectedHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}
