import { bench as clientBench, DAG } from '../bench.test-helper.ts';
import type { FakeOrchestrator, FakeRun, VirtualClock } from '../testing/index.ts';
import type { RunWatcher, WatcherOptions } from './run-watcher.ts';
import type { RunChange } from './watcher-events.ts';

export { DAG };
export const MINUTE_MS = 60_000;

/** A watcher and its fake orchestrator on one clock, whose pauses take no time. */
export interface Bench {
  readonly clock: VirtualClock;
  readonly fake: FakeOrchestrator;
  readonly watcher: RunWatcher;
  /** `finished` events in order. */
  readonly finished: RunChange[];
  readonly problems: unknown[];
}

/** Creates a watcher and its fake. */
export function bench({
  skewMs = 0,
  stalledAfterMs = Infinity,
  version = '2.10.3',
  ...options
}: WatcherOptions & { skewMs?: number; stalledAfterMs?: number; version?: string } = {}): Bench {
  const { clock, fake, client } = clientBench({ skewMs, version }, { stalledAfterMs });
  const watcher = client.watcher(options);
  const [finished, problems]: [RunChange[], unknown[]] = [[], []];
  watcher.on('finished', (change) => finished.push(change));
  watcher.on('problem', (error) => problems.push(error));
  return { clock, fake, watcher, finished, problems };
}

/** Adds runs to the fake and the watcher. */
export function watchedRuns(
  { fake, watcher }: Bench,
  count: number,
  state: 'queued' | 'running' = 'running',
): FakeRun[] {
  const runs = Array.from({ length: count }, () => fake.world.addRun(DAG.id, { state }));
  for (const run of runs) watcher.add(run);
  return runs;
}
