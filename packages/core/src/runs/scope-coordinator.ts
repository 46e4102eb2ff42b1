import { isDomainError } from '../errors.ts';
import type { Logger } from '../ports/host.ts';
import type { PartResult, Run, RunFailure, RunPart } from '../ports/runs.ts';
import { createWakeSignal, type WakeSignal } from '../timing/wake-signal.ts';
import { within } from '../timing/timers.ts';
import { toRunFailure } from './failure.ts';
import type { RunSignals } from './signals.ts';
import { type StartDeps, startRun } from './start.ts';
import { CANCELLED } from './transitions.ts';
import type { RunPrincipal } from './types.ts';
import { partState, type PartState, type ScopeSummary, summarize, summaryText } from './scope-report.ts';
import { requestOfTehsil, SCOPE_PIPELINE, scopeParams } from './scope-run.ts';

/** Dependencies of the coordinator. */
export interface CoordinatorDeps {
  readonly start: StartDeps;
  /** `start` with the accounts that a user may name. */
  readonly startOf: (principal: RunPrincipal) => StartDeps;
  readonly signals: RunSignals;
  readonly logger: Logger;
  /** Time without a heartbeat after which another process takes over a run; default 15 s. */
  readonly leaseMs?: number;
  /** Poll interval; signals of ended runs wake the coordinator earlier. Default 1 s. */
  readonly idleMs?: number;
}

/**
 * Starts the tehsils of runs over districts and states, and ends these runs. Each run is coordinated by one process of the store at a time. If
 * this process dies, another one continues, because the parts are stored.
 */
export interface ScopeCoordinator {
  start(): void;
  /** Stops; other processes continue its runs. */
  close(): Promise<void>;
}

/** Number of tehsils that wait in the queue of the workers: few, so that runs of other requests come in between. */
const AHEAD = 4;
/** One more tehsil waits for each of so many that are computed, so that many workers are never idle. */
const RUNNING_PER_WAITING = 4;
/** Shortest pause between two looks at a run. */
const LEAST_MS = 50;
const GRACE_MS = 2000;
/** Takeovers are counted as attempts, and their number is not limited. */
const ANY_ATTEMPT = 2_147_483_647;

interface State extends Required<CoordinatorDeps> {
  readonly workerId: string;
  readonly shutdown: AbortController;
  readonly waker: WakeSignal;
  readonly held: Set<Promise<void>>;
}

/** Builds a coordinator, which is idle before `start`. */
export function createScopeCoordinator({
  leaseMs = 15_000,
  idleMs = 1000,
  ...deps
}: CoordinatorDeps): ScopeCoordinator {
  const state: State = {
    ...deps,
    leaseMs,
    idleMs,
    workerId: `scopes-${globalThis.crypto.randomUUID()}`,
    shutdown: new AbortController(),
    waker: createWakeSignal(),
    held: new Set(),
  };
  let running: Promise<void> | undefined;
  const { wake } = state.waker;
  return {
    start: () => {
      if (running !== undefined || state.shutdown.signal.aborted) return;
      deps.signals.on('queued', wake);
      running = claimRuns(state);
    },
    close: async () => {
      deps.signals.off('queued', wake);
      state.shutdown.abort();
      wake();
      await within(deps.start.timers, GRACE_MS, Promise.all([running, ...state.held]));
    },
  };
}

async function claimRuns(state: State): Promise<void> {
  const { start, leaseMs, idleMs, workerId, shutdown, waker, held, logger } = state;
  let failures = 0;
  while (!shutdown.signal.aborted) {
    const woken = waker.signal;
    try {
      const options = { workerId, leaseMs, maxAttempts: ANY_ATTEMPT, pipelines: [SCOPE_PIPELINE] };
      const run = await start.runs.claim(options);
      failures = 0;
      if (run !== undefined) {
        const work = coordinate(state, run);
        held.add(work);
        void work.finally(() => held.delete(work));
        continue;
      }
    } catch (error) {
      if (failures === 0)
        logger.error({ error: String(error) }, 'runs over districts and states cannot be read; retrying');
      failures += 1;
    }
    await start.timers.sleep(LEAST_MS, shutdown.signal);
    await start.timers.sleep(Math.min(10_000, idleMs * 2 ** failures), woken);
  }
}

/** Coordinates a claimed run until it ends, another process has it, or this process stops. Never rejects. */
async function coordinate(state: State, run: Run): Promise<void> {
  const { start, shutdown, waker, idleMs, logger } = state;
  const known = new Map<number, PartState>();
  let [failures, isRecovered] = [0, run.token === 1];
  while (!shutdown.signal.aborted) {
    const woken = waker.signal;
    try {
      if (!isRecovered) await recover(state, run);
      isRecovered = true;
      if ((await look(state, run, known)) === 'left') return;
      failures = 0;
    } catch (error) {
      if (failures === 0) logger.error({ runId: run.id, error: String(error) }, 'tehsils cannot be started; retrying');
      failures += 1;
    }
    await start.timers.sleep(LEAST_MS * 2 ** Math.min(failures, 6), shutdown.signal);
    await start.timers.sleep(idleMs, woken);
  }
  await start.runs.release(run.id, run.token).catch((error: unknown) => {
    logger.error({ runId: run.id, error: String(error) }, 'a run could not be handed over; its lease will end');
  });
}

/** Number of runs that one step reads. */
const BATCH = 500;

/** Finds runs that a dead process had started but not yet noted as the runs of their parts. */
async function recover({ start: { runs } }: State, { id, token }: Run): Promise<void> {
  const parts = await runs.parts(id);
  const noted = new Set(parts.map(({ runId }) => runId));
  const waiting = new Map(
    parts.filter((part) => partState(part, id) === 'waiting').map((part) => [part.tehsilId, part]),
  );
  for (let offset = 0; waiting.size > 0; offset += BATCH) {
    const { runs: children } = await runs.list({ parentId: id, limit: BATCH, offset });
    for (const child of children) {
      const part = waiting.get(Number(child.params['tehsilId']));
      if (part === undefined || noted.has(child.id) || child.state === 'failed') continue;
      waiting.delete(part.tehsilId);
      await runs.setPart(id, token, { position: part.position, result: { runId: child.id, isReused: false } });
    }
    if (children.length < BATCH) return;
  }
}

/** Reads the parts of a run, stores the progress, and starts further tehsils. Returns `left` if the run needs no further look here. */
async function look(state: State, run: Run, known: Map<number, PartState>): Promise<'left' | 'continues'> {
  const { runs } = state.start;
  const { id, token } = run;
  const parts = await runs.parts(id);
  const summary = summarize(parts, run);
  const text = summaryText(summary);
  const outcome = await runs.heartbeat(id, token, { leaseMs: state.leaseMs, progress: summary.progress, step: text });
  if (outcome === 'lost') return 'left';
  if (outcome === 'cancelled') {
    await runs.fail(id, token, CANCELLED);
    return 'left';
  }
  await report(state, run, { parts, known, progress: { progress: summary.progress, step: text } });
  if (await ended(state, run, { parts, summary })) return 'left';
  return await startParts(state, run, { parts, summary });
}

interface Seen {
  readonly parts: readonly RunPart[];
  readonly summary: ScopeSummary;
}

/** Writes a log line for each part that ended since the last look, and a progress event. */
async function report(
  { start: { runs, ports } }: State,
  { id }: Run,
  seen: { readonly parts: readonly RunPart[]; readonly known: Map<number, PartState>; readonly progress: object },
): Promise<void> {
  const { parts, known, progress } = seen;
  const isFirst = known.size === 0;
  const ended: RunPart[] = [];
  for (const part of parts) {
    const state = partState(part, id);
    if (!isFirst && known.get(part.position) !== state && (state === 'success' || state === 'failed')) ended.push(part);
    known.set(part.position, state);
  }
  for (const part of ended) {
    const place = await ports.places.placeOfTehsil(part.tehsilId);
    const name = place === undefined ? `tehsil ${part.tehsilId}` : `${place.tehsil.name}, ${place.district.name}`;
    const reason = part.failure ?? part.run?.error;
    const outcome =
      partState(part, id) === 'success' ? (part.isReused ? 'reused' : 'success') : `failed: ${reason?.message ?? ''}`;
    await runs.appendEvent(id, { kind: 'log', data: { message: `${name}: ${outcome}` } });
  }
  if (ended.length > 0 || isFirst) await runs.appendEvent(id, { kind: 'progress', data: { ...progress } });
}

/** Ends the run if all of its parts have ended. */
async function ended(
  { start: { runs, ports } }: State,
  { id, token }: Run,
  { parts, summary }: Seen,
): Promise<boolean> {
  const { counts, tehsils, reused } = summary;
  if (counts.success + counts.failed < tehsils) return false;
  if (counts.failed === 0) await runs.publish(id, token, { items: [], layers: [], timings: { tehsils, reused } });
  else await runs.fail(id, token, await partialFailure(parts, { id, places: ports.places }));
  return true;
}

/** Number of failed tehsils that the failure of the run names. */
const MOST_NAMES = 10;

async function partialFailure(
  parts: readonly RunPart[],
  { id, places }: { readonly id: string; readonly places: StartDeps['ports']['places'] },
): Promise<RunFailure> {
  const failed = parts.filter((part) => partState(part, id) === 'failed');
  const names: string[] = [];
  for (const { tehsilId } of failed.slice(0, MOST_NAMES)) {
    const place = await places.placeOfTehsil(tehsilId);
    names.push(place === undefined ? `tehsil ${tehsilId}` : `${place.tehsil.name} (${place.district.name})`);
  }
  const more = failed.length > names.length ? ` and ${failed.length - names.length} more` : '';
  const message =
    `${failed.length} of ${parts.length} tehsils failed: ${names.join(', ')}${more}. ` +
    'All others are published. Correct the reasons, which the report lists, then retry the failed tehsils.';
  return { code: 'dependency_failed', message };
}

/** Starts tehsils until enough of them wait in the queue. */
async function startParts(state: State, run: Run, { parts, summary }: Seen): Promise<'left' | 'continues'> {
  const { runs } = state.start;
  const { queued, running } = summary.counts;
  let room = Math.max(AHEAD, Math.ceil(running / RUNNING_PER_WAITING)) - queued;
  for (const part of parts) {
    if (room <= 0 || state.shutdown.signal.aborted) break;
    if (partState(part, run.id) !== 'waiting') continue;
    const result = await startPart(state, run, part);
    const isInQueue = 'runId' in result && !result.isReused;
    if (isInQueue) room -= 1;
    if ((await runs.setPart(run.id, run.token, { position: part.position, result })) !== 'ok')
      return await look(state, run, new Map());
    // Comparing the inputs of a stored result can take seconds.
    if (!isInQueue) await runs.heartbeat(run.id, run.token, { leaseMs: state.leaseMs });
  }
  return 'continues';
}

/** Starts one tehsil. Rejects if a store does not answer. */
async function startPart({ start, startOf, logger }: State, run: Run, { tehsilId }: RunPart): Promise<PartResult> {
  const { computes, request, overwrite, withDependencies } = scopeParams.parse(run.params);
  const pipeline = start.pipelines.get(computes);
  const place = await start.ports.places.placeOfTehsil(tehsilId);
  if (pipeline === undefined || place === undefined) {
    const what = pipeline === undefined ? `Pipeline ${computes}` : 'The tehsil';
    return { failure: { code: 'input_data', message: `${what} does not exist any more.` } };
  }
  const names = { state: place.state.name, district: place.district.name, tehsil: place.tehsil.name };
  try {
    const principal = { user: { id: run.ownerId ?? 0, isSuperuser: false } };
    const started = await startRun(startOf(principal), {
      principal,
      pipeline,
      request: requestOfTehsil(pipeline, request, names),
      options: { overwrite, withDependencies, ...(run.requestId === null ? {} : { requestId: run.requestId }) },
      parentId: run.id,
    });
    return { runId: started.run.id, isReused: started.reused };
  } catch (error) {
    if (isDomainError(error) && (error.code === 'unavailable' || error.code === 'took_too_long')) throw error;
    return { failure: toRunFailure(error, run.id, logger) };
  }
}
