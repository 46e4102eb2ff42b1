import type { Clock, Logger, RunWorker, Timers } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import {
  agePart,
  backupPart,
  databasePart,
  type DiskLimits,
  diskPart,
  queuePart,
  scenesPart,
  type WarningLimits,
  workerPart,
} from './parts.ts';
import { DRAINING_UNTIL, LAST_BACKUP_AT } from '@headwater/core/runs';
import { createProbe, type ProbeSettings } from './probe.ts';
import { failing, type HealthPart, type HealthReport, off, ok, type PartName } from './report.ts';

export { Health, withoutDetails, type HealthPart, type HealthReport } from './report.ts';
export { DISK_LIMITS, type WarningLimits } from './parts.ts';

/** Inputs of the health report. */
export interface HealthSources {
  readonly version: string;
  readonly stores: Pick<Stores, 'ping' | 'runs' | 'operatorLists' | 'installation' | 'users'>;
  readonly worker: RunWorker | undefined;
  readonly queue?: string | undefined;
  /** Returns the name of the pixel engine. Throws if it does not work. */
  readonly pixels?: (() => Promise<string>) | undefined;
  /**
   * Returns the scene sources or their state. Throws if they cannot be reached, and `no_scenes` if there are no scenes.
   */
  readonly scenes?: (() => Promise<string | HealthPart>) | undefined;
  readonly freeBytes?: (() => Promise<number>) | undefined;
  readonly freeDisk: DiskLimits;
  readonly warnings?: Partial<WarningLimits> | undefined;
  readonly files?: (() => Promise<string>) | undefined;
  readonly boundaries?: (() => HealthPart) | undefined;
  readonly bucket?: (() => HealthPart) | undefined;
  /** Reason why this process must be restarted. */
  readonly fault?: (() => string | undefined) | undefined;
  readonly closing: AbortSignal;
  /** Returns the name of the orchestrator. Throws if it does not answer. */
  readonly orchestrator?: (() => Promise<string>) | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** At most one probe per second, so that health requests cannot overload a part. */
const LOCAL: ProbeSettings = { freshMs: 1000, deadlineMs: 15_000 };
/** The times are long, because the probe starts a thread and compiles modules. */
const PIXELS: ProbeSettings = { freshMs: 60_000, againMs: 5000, deadlineMs: 60_000 };
const SCENES: ProbeSettings = { freshMs: 10_000, deadlineMs: 10_000 };

/** The probes are rare, because an orchestrator may check passwords slowly. */
const ORCHESTRATOR: ProbeSettings = { freshMs: 5000, againMs: 2000, deadlineMs: 5000, expiresMs: 10_000 };

/** Parts that published data do not need. If such a part fails, the status is not 503. */
const OUTSIDE: ReadonlySet<string> = new Set<PartName>(['scenes', 'boundaries', 'orchestrator', 'queue', 'backup']);

/** Creates the health check. It never throws and takes at most one second. */
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
  const ages = agesOf(sources, probe);
  const logChanges = createChangeLog(sources.logger);
  return async () => {
    const [databaseIs, workerIs, pixelsIs, scenesIs, diskIs, filesIs, orchestratorIs, queueIs, backupIs] =
      await Promise.all([
        database(),
        workers(),
        pixelEngine(),
        sceneSources(),
        disk(),
        folders(),
        orchestrator?.(),
        ages.queue?.(),
        ages.backup?.(),
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
      ...(orchestratorIs === undefined ? {} : { orchestrator: orchestratorIs }),
      ...(sources.boundaries === undefined ? {} : { boundaries: sources.boundaries() }),
      ...(sources.bucket === undefined ? {} : { bucket: sources.bucket() }),
      ...(queueIs === undefined ? {} : { queue: queueIs }),
      ...(backupIs === undefined ? {} : { backup: backupIs }),
      ...(fault === undefined ? {} : { process: failing(fault) }),
    };
    // While the service closes, failures of parts are expected, so they are not logged.
    if (!isClosing) logChanges(parts);
    return { status: statusOf(parts), version, parts };
  };
}

type ProbeFactory = (check: () => Promise<HealthPart>, settings: ProbeSettings) => () => Promise<HealthPart>;

function workersOf({ stores, worker, queue, clock }: HealthSources, probe: ProbeFactory): () => Promise<HealthPart> {
  if (worker !== undefined || queue === undefined) return async () => workerPart(worker, clock.now());
  return probe(async () => queuePart(queue, await stores.runs.queueState(queue), clock.now()), LOCAL);
}

const AGES: ProbeSettings = { freshMs: 10_000, againMs: 1000, deadlineMs: 15_000 };

function agesOf({ stores, warnings = {}, clock }: HealthSources, probe: ProbeFactory) {
  const { queueMs = 0, backupMs = 0 } = warnings;
  const queue = async (): Promise<HealthPart> => {
    const counts = await stores.operatorLists.runCounts(0);
    return agePart({ ...counts, drainingUntil: await stores.installation.read(DRAINING_UNTIL) }, queueMs, clock.now());
  };
  const backup = async (): Promise<HealthPart> => {
    const lastAt = await stores.installation.read(LAST_BACKUP_AT);
    // The first superuser is created at the first start of the service, so `createdAt` is about the time of this start.
    const startedAt = lastAt === undefined ? (await stores.users.firstSuperuser())?.createdAt : undefined;
    return backupPart({ lastAt, startedAt }, backupMs, clock.now());
  };
  return {
    queue: queueMs === 0 ? undefined : probe(queue, AGES),
    backup: backupMs === 0 ? undefined : probe(backup, AGES),
  };
}

function statusOf(parts: HealthReport['parts']): HealthReport['status'] {
  const all = Object.entries(parts);
  if (all.some(([name, { state }]) => state === 'failing' && !OUTSIDE.has(name))) return 'failing';
  return all.some(([, { state }]) => state === 'failing' || state === 'warning') ? 'degraded' : 'ok';
}

/** Logs each change of a part, because the public report contains no reasons. */
function createChangeLog(logger: Logger): (parts: HealthReport['parts']) => void {
  const noted = new Map<string, 'failing' | 'warning'>();
  return (parts) => {
    for (const [part, { state, detail }] of Object.entries(parts)) {
      // The state of a part that is `starting` is not known yet.
      if (state === 'starting' || state === noted.get(part)) continue;
      if (state === 'failing') logger.error({ part, detail }, 'health: a part is failing');
      else if (state === 'warning') logger.info({ part, detail }, 'warning: health: a part needs attention');
      else if (noted.has(part)) logger.info({ part, detail }, 'health: a part has recovered');
      if (state === 'failing' || state === 'warning') noted.set(part, state);
      else noted.delete(part);
    }
  };
}

/** Checks health regularly, so that warnings are in the log. */
export interface HealthWatch {
  start(): void;
  close(): Promise<void>;
}

const WATCH_MS = 60_000;

/** Creates the regular check; undefined if there are no limits for warnings. */
export function createHealthWatch(
  health: () => Promise<HealthReport>,
  { warnings, timers }: Pick<HealthSources, 'warnings' | 'timers'>,
): HealthWatch | undefined {
  if (warnings === undefined) return undefined;
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await timers.sleep(WATCH_MS, closing.signal);
      if (!closing.signal.aborted) await health();
    }
  };
  return {
    start: () => void (running ??= run()),
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
