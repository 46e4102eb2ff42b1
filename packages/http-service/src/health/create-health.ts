import type { Clock, Logger, RunWorker, Timers } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { databasePart, type DiskLimits, diskPart, queuePart, scenesPart, workerPart } from './parts.ts';
import { createProbe, type ProbeSettings } from './probe.ts';
import { failing, type HealthPart, type HealthReport, off, ok, type PartName } from './report.ts';

export { Health, withoutDetails, type HealthPart, type HealthReport } from './report.ts';
export { DISK_LIMITS } from './parts.ts';

/** Inputs of the health report. */
export interface HealthSources {
  readonly version: string;
  readonly stores: Pick<Stores, 'ping' | 'runs'>;
  readonly worker: RunWorker | undefined;
  /** Queue of the workers in other processes; absent without such workers. */
  readonly queue?: string | undefined;
  /** Returns the name of the pixel engine; throws if it does not work. Absent: the service has no pixel engine. */
  readonly pixels?: (() => Promise<string>) | undefined;
  /** Returns the names of the scene sources. Throws if they cannot be reached; throws `no_scenes` if they have no scenes. */
  readonly scenes?: (() => Promise<string>) | undefined;
  /** Returns the free bytes on the disk of results. Absent: the service writes nothing. */
  readonly freeBytes?: (() => Promise<number>) | undefined;
  readonly freeDisk: DiskLimits;
  /** Throws if files cannot be written. Absent: the service writes nothing. */
  readonly files?: (() => Promise<string>) | undefined;
  /** State of the boundary data download. Absent: nothing is downloaded. */
  readonly boundaries?: (() => HealthPart) | undefined;
  /** Returns the reason why this process must be restarted, if there is one. */
  readonly fault?: (() => string | undefined) | undefined;
  /** Aborts when the service begins to close. */
  readonly closing: AbortSignal;
  /** Returns the name of the orchestrator; throws if it does not answer. Absent: the service has no orchestrator. */
  readonly orchestrator?: (() => Promise<string>) | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/**
 * Settings for parts that are quick to probe. At least one second is between two probes, so that requests for public
 * health cannot overload a part.
 */
const LOCAL: ProbeSettings = { freshMs: 1000, deadlineMs: 2500 };
const PIXELS: ProbeSettings = { freshMs: 60_000, againMs: 5000, deadlineMs: 10_000 };
const SCENES: ProbeSettings = { freshMs: 10_000, deadlineMs: 10_000 };

/**
 * Settings for the orchestrator. It is probed at most every 5 s, because its password checks may be slow. A result
 * expires after 10 s, because health requests may be minutes apart.
 */
const ORCHESTRATOR: ProbeSettings = { freshMs: 5000, againMs: 2000, deadlineMs: 5000, expiresMs: 10_000 };

/** Parts that are not needed to serve published data. If they fail, health does not respond 503. */
const OUTSIDE: ReadonlySet<string> = new Set<PartName>(['scenes', 'boundaries', 'orchestrator']);

/** Creates the health check. Each part has its own probe interval. The check never throws and takes at most one second. */
export function createHealth(sources: HealthSources): () => Promise<HealthReport> {
  const { stores, pixels, scenes, freeBytes, freeDisk, files, version } = sources;
  const textOf = (check: (() => Promise<string>) | undefined, absent: string) => async (): Promise<HealthPart> =>
    check === undefined ? off(absent) : ok(await check());
  const probe = (check: () => Promise<HealthPart>, settings: ProbeSettings): (() => Promise<HealthPart>) =>
    createProbe(check, settings, sources);
  const database = probe(() => databasePart(stores), LOCAL);
  const pixelEngine = probe(textOf(pixels, 'no pixel engine is configured'), PIXELS);
  const sceneSources = probe(
    async () => (scenes === undefined ? off('sources of scenes are not checked') : scenesPart(scenes)),
    SCENES,
  );
  const disk = probe(
    async () => (freeBytes === undefined ? off('free space is not measured') : diskPart(await freeBytes(), freeDisk)),
    LOCAL,
  );
  const workers = workersOf(sources, probe);
  const folders = probe(textOf(files, 'folders are not checked'), LOCAL);
  const orchestrator =
    sources.orchestrator === undefined ? undefined : probe(textOf(sources.orchestrator, ''), ORCHESTRATOR);
  const logChanges = createChangeLog(sources.logger);
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
    // Failures of parts while the service closes are expected.
    if (!isClosing) logChanges(parts);
    return { status: statusOf(parts), version, parts };
  };
}

type ProbeFactory = (check: () => Promise<HealthPart>, settings: ProbeSettings) => () => Promise<HealthPart>;

/** Probe of the worker of this process, or of the queue of the workers in other processes. */
function workersOf({ stores, worker, queue, clock }: HealthSources, probe: ProbeFactory): () => Promise<HealthPart> {
  if (worker !== undefined || queue === undefined) return async () => workerPart(worker, clock.now());
  return probe(async () => queuePart(queue, await stores.runs.queueState(queue), clock.now()), LOCAL);
}

function statusOf(parts: HealthReport['parts']): HealthReport['status'] {
  const all = Object.entries(parts);
  if (all.some(([name, { state }]) => state === 'failing' && !OUTSIDE.has(name))) return 'failing';
  return all.some(([, { state }]) => state === 'failing' || state === 'warning') ? 'degraded' : 'ok';
}

/**
 * Returns a function that logs a part with the reason when it begins to fail, and again when it recovers. The log is
 * needed because public health shows no reasons.
 */
function createChangeLog(logger: Logger): (parts: HealthReport['parts']) => void {
  const down = new Set<string>();
  return (parts) => {
    for (const [part, { state, detail }] of Object.entries(parts)) {
      // The state is unknown until the first probe ends.
      if (state === 'starting') continue;
      if (state === 'failing' && !down.has(part)) logger.error({ part, detail }, 'health: a part is failing');
      else if (state !== 'failing' && down.has(part)) logger.info({ part, detail }, 'health: a part has recovered');
      if (state === 'failing') down.add(part);
      else down.delete(part);
    }
  };
}
