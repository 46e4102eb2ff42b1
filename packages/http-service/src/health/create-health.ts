import type { Clock, Logger, RunWorker, Timers } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { databasePart, type DiskLimits, diskPart, queuePart, scenesPart, workerPart } from './parts.ts';
import { createProbe, type ProbeSettings } from './probe.ts';
import { failing, type HealthPart, type HealthReport, off, ok, type PartName } from './report.ts';

export { Health, withoutDetails, type HealthPart, type HealthReport } from './report.ts';
export { DISK_LIMITS } from './parts.ts';

/** What health looks at. */
export interface HealthSources {
  readonly version: string;
  readonly stores: Pick<Stores, 'ping' | 'runs'>;
  readonly worker: RunWorker | undefined;
  /** The queue that workers of other processes take from; absent where none does. */
  readonly queue?: string | undefined;
  /** Says which pixel engine there is; throws when it does not work. Absent where there is none. */
  readonly pixels?: (() => Promise<string>) | undefined;
  /** Says where scenes come from; throws when that cannot be reached, `no_scenes` where there is nothing. */
  readonly scenes?: (() => Promise<string>) | undefined;
  /** Free bytes where results are written. Absent where the service writes nothing. */
  readonly freeBytes?: (() => Promise<number>) | undefined;
  readonly freeDisk: DiskLimits;
  /** Throws where nothing can be written any more. Absent where the service writes nothing. */
  readonly files?: (() => Promise<string>) | undefined;
  /** How far the download of boundary data is. Absent where nothing is downloaded. */
  readonly boundaries?: (() => HealthPart) | undefined;
  /** Why this process has to be started again, if it has to. */
  readonly fault?: (() => string | undefined) | undefined;
  /** Aborts when the service begins to close. */
  readonly closing: AbortSignal;
  /** Tells which orchestrator computes; throws when it does not answer. Absent where none does. */
  readonly orchestrator?: (() => Promise<string>) | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** A second of rest between two looks: public health is no amplifier. Threads and servers of others rest longer. */
const LOCAL: ProbeSettings = { freshMs: 1000, deadlineMs: 2500 };
const PIXELS: ProbeSettings = { freshMs: 60_000, againMs: 5000, deadlineMs: 10_000 };
const SCENES: ProbeSettings = { freshMs: 10_000, deadlineMs: 10_000 };

/** Whoever asks after minutes wants to know how it is now; a web server with slow passwords is asked every five seconds at most. */
const ORCHESTRATOR: ProbeSettings = { freshMs: 5000, againMs: 2000, deadlineMs: 5000, toldForMs: 10_000 };

/** Parts without which everything that is published is served all the same: they never make the service 503. */
const OUTSIDE: ReadonlySet<string> = new Set<PartName>(['scenes', 'boundaries', 'orchestrator']);

/** Makes the health check: each part is probed at its own pace; none makes it throw, or wait for more than a second. */
export function createHealth(sources: HealthSources): () => Promise<HealthReport> {
  const { stores, pixels, scenes, freeBytes, freeDisk, files, version } = sources;
  const textOf = (look: (() => Promise<string>) | undefined, absent: string) => async (): Promise<HealthPart> =>
    look === undefined ? off(absent) : ok(await look());
  const probe = (look: () => Promise<HealthPart>, settings: ProbeSettings): (() => Promise<HealthPart>) =>
    createProbe(look, settings, sources);
  const database = probe(() => databasePart(stores), LOCAL);
  const pixelEngine = probe(textOf(pixels, 'no pixel engine was given'), PIXELS);
  const sceneSources = probe(
    async () => (scenes === undefined ? off('sources of scenes are not looked at') : scenesPart(scenes)),
    SCENES,
  );
  const disk = probe(
    async () => (freeBytes === undefined ? off('free space is not measured') : diskPart(await freeBytes(), freeDisk)),
    LOCAL,
  );
  const workers = workersOf(sources, probe);
  const folders = probe(textOf(files, 'folders are not tried'), LOCAL);
  const orchestrator =
    sources.orchestrator === undefined ? undefined : probe(textOf(sources.orchestrator, ''), ORCHESTRATOR);
  const tell = createTeller(sources.logger);
  return async () => {
    const [databaseIs, workerIs, pixelsIs, scenesIs, diskIs, filesIs] = await Promise.all([
      database(),
      workers(),
      pixelEngine(),
      sceneSources(),
      disk(),
      folders(),
    ]);
    const isClosing = sources.closing.aborted;
    const fault = sources.fault?.() ?? (isClosing ? 'the service is closing' : undefined);
    const parts = {
      database: databaseIs,
      worker: workerIs,
      pixels: pixelsIs,
      scenes: scenesIs,
      disk: diskIs,
      files: filesIs,
      ...(orchestrator === undefined ? {} : { orchestrator: await orchestrator() }),
      ...(sources.boundaries === undefined ? {} : { boundaries: sources.boundaries() }),
      ...(fault === undefined ? {} : { process: failing(fault) }),
    };
    // Parts that end with the service are no news.
    if (!isClosing) tell(parts);
    return { status: statusOf(parts), version, parts };
  };
}

type Probing = (look: () => Promise<HealthPart>, settings: ProbeSettings) => () => Promise<HealthPart>;

/** The worker of this process, or those of others, which are known by their queue only. */
function workersOf({ stores, worker, queue, clock }: HealthSources, probe: Probing): () => Promise<HealthPart> {
  if (worker !== undefined || queue === undefined) return async () => workerPart(worker, clock.now());
  return probe(async () => queuePart(queue, await stores.runs.queueState(queue), clock.now()), LOCAL);
}

function statusOf(parts: HealthReport['parts']): HealthReport['status'] {
  const all = Object.entries(parts);
  if (all.some(([name, { state }]) => state === 'failing' && !OUTSIDE.has(name))) return 'failing';
  return all.some(([, { state }]) => state === 'failing' || state === 'warning') ? 'degraded' : 'ok';
}

/** Logs a part's reason when it begins to fail, and once more when it works again: strangers are told states only. */
function createTeller(logger: Logger): (parts: HealthReport['parts']) => void {
  const down = new Set<string>();
  return (parts) => {
    for (const [part, { state, detail }] of Object.entries(parts)) {
      // Nobody knows yet.
      if (state === 'starting') continue;
      if (state === 'failing' && !down.has(part)) logger.error({ part, detail }, 'health: a part fails');
      else if (state !== 'failing' && down.has(part)) logger.info({ part, detail }, 'health: a part works again');
      if (state === 'failing') down.add(part);
      else down.delete(part);
    }
  };
}
