import type { DomainError } from '../errors.ts';
import type { Logger } from '../ports/host.ts';
import type { PartOutcome, PartResult, Run, RunFailure, RunPart } from '../ports/runs.ts';
import { createWakeSignal, type WakeSignal } from '../timing/wake-signal.ts';
import { within } from '../timing/timers.ts';
import { toRunFailure } from './failure.ts';
import type { RunSignals } from './signals.ts';
import { type StartDeps, startRun } from './start.ts';
import { CANCELLED } from './transitions.ts';
import type { RunPrincipal } from './types.ts';
import { type AccountWait, accountWait, isAccountRefusal } from './scope-account.ts';
import { partRefusal, partState, type PartState, type ScopeSummary, summarize, summaryText } from './scope-report.ts';
import { tehsilNames } from './scope-names.ts';
import { requestOfTehsil, SCOPE_PIPELINE, scopeParams, scopeQueue } from './scope-run.ts';

/** Dependencies of the coordinator. */
export interface CoordinatorDeps {
  readonly start: StartDeps;
  /** Pipelines of this process. Runs of other pipelines are ignored. */
  readonly computes: readonly string[];
  /** Returns `start` with the Earth-observation accounts of the user. */
  readonly startOf: (principal: RunPrincipal) => StartDeps;
  readonly signals: RunSignals;
  readonly logger: Logger;
  /** Time without a heartbeat after which another process takes over a run; default 30 s. */
  readonly leaseMs?: number;
  /** Poll interval; default 1 s. */
  readonly idleMs?: number;
}

/**
 * Coordinates runs over districts and states: starts a run for each tehsil, and ends the parent run. Each parent run is
 * coordinated by one process at a time.
 */
export interface ScopeCoordinator {
  start(): void;
  /** Stops. Other processes continue the runs of this coordinator. */
  close(): Promise<void>;
}

/**
 * Maximum number of tehsils that a run keeps waiting in the workers' queue, unless many of its tehsils are running. It
 * is small, so that workers also claim runs of other requests.
 */
const AHEAD = 4;
/**
 * Number of running tehsils for each waiting tehsil: a run with many running tehsils keeps more than `AHEAD` tehsils
 * waiting. Otherwise some workers would be idle during a large run.
 */
const RUNNING_PER_WAITING = 4;
/** Maximum number of results and failures that one call of `startParts` records. */
const MOST_STORED = 50;
/** Maximum number of tries to start one tehsil. Each pause is twice as long as the pause before. */
const MOST_TRIES = 8;
const LEAST_MS = 50;
const GRACE_MS = 2000;
/**
 * Limit of attempts. It is too high to be reached, because each takeover by another process counts as an attempt and
 * must not end the run.
 */
const ANY_ATTEMPT = 2_147_483_647;

interface State extends Required<CoordinatorDeps> {
  readonly workerId: string;
  readonly shutdown: AbortController;
  readonly waker: WakeSignal;
  readonly held: Set<Promise<void>>;
}

/** Builds a coordinator, which is idle before `start`. */
export function createScopeCoordinator({
  leaseMs = 30_000,
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
  const { start, computes, leaseMs, idleMs, workerId, shutdown, waker, held, logger } = state;
  const queues = computes.map((name) => scopeQueue(start.backend, name));
  let failures = 0;
  while (!shutdown.signal.aborted) {
    const woken = waker.signal;
    try {
      const options = { workerId, leaseMs, maxAttempts: ANY_ATTEMPT, pipelines: [SCOPE_PIPELINE], queues };
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

interface Held {
  readonly state: State;
  readonly run: Run;
  readonly known: Map<number, PartState>;
  readonly troubles: Map<number, { readonly tries: number; readonly untilMs: number }>;
  account: AccountWait | undefined;
}

type Looked = 'left' | 'continues' | 'again';

async function coordinate(state: State, run: Run): Promise<void> {
  const over = new AbortController();
  const keeping = keepLease(state, run, over.signal);
  try {
    await lookUntilLeft(state, run);
  } finally {
    over.abort();
    await keeping;
  }
}

/** Extends the lease until `signal` aborts or the lease is lost, because `look` can take longer than a lease. */
async function keepLease({ start, leaseMs }: State, { id, token }: Run, signal: AbortSignal): Promise<void> {
  for (;;) {
    await start.timers.sleep(leaseMs / 3, signal);
    if (signal.aborted) return;
    if ((await start.runs.heartbeat(id, token, { leaseMs }).catch(() => 'ok')) === 'lost') return;
  }
}

async function lookUntilLeft(state: State, run: Run): Promise<void> {
  const { start, shutdown, waker, idleMs, logger } = state;
  const held: Held = { state, run, known: new Map(), troubles: new Map(), account: undefined };
  let [failures, isRecovered] = [0, run.token === 1];
  while (!shutdown.signal.aborted) {
    const woken = waker.signal;
    let looked: Looked = 'continues';
    try {
      if (!isRecovered) await recover(held);
      isRecovered = true;
      looked = await look(held);
      if (looked === 'left') return;
      failures = 0;
    } catch (error) {
      if (failures === 0) logger.error({ runId: run.id, error: String(error) }, 'tehsils cannot be started; retrying');
      failures += 1;
    }
    await start.timers.sleep(LEAST_MS * 2 ** Math.min(failures, 6), shutdown.signal);
    if (looked !== 'again') await start.timers.sleep(idleMs, woken);
  }
  await start.runs.release(run.id, run.token).catch((error: unknown) => {
    logger.error(
      { runId: run.id, error: String(error) },
      'could not release a run over a district or a state; another process continues it when its lease ends',
    );
  });
}

const BATCH = 500;

/** Finds the ended parts that another process has already logged. */
async function recover({ state: { start }, run: { id }, known }: Held): Promise<void> {
  const { runs } = start;
  for (const { position, isReused } of await runs.parts(id)) known.set(position, isReused ? 'success' : 'waiting');
  for (let after = 0, count = BATCH; count === BATCH;) {
    const events = await runs.events(id, after, BATCH);
    for (const { seq, data } of events) {
      const { position, state } = data;
      if (typeof position === 'number' && (state === 'success' || state === 'failed')) known.set(position, state);
      after = seq;
    }
    count = events.length;
  }
}

async function look(held: Held): Promise<Looked> {
  const { state, run } = held;
  const { runs } = state.start;
  const { id, token } = run;
  const parts = await runs.parts(id);
  const summary = summarize(parts, run);
  const text = summaryText(summary) + (held.account === undefined ? '' : `, waits: ${held.account.reason}`);
  const outcome = await runs.heartbeat(id, token, { leaseMs: state.leaseMs, progress: summary.progress, step: text });
  if (outcome === 'lost') return 'left';
  if (outcome === 'cancelled') {
    await runs.fail(id, token, CANCELLED);
    return 'left';
  }
  await report(held, { parts, progress: { progress: summary.progress, step: text } });
  return (await ended(held, { parts, summary })) ?? (await startParts(held, { parts, summary }));
}

interface Seen {
  readonly parts: readonly RunPart[];
  readonly summary: ScopeSummary;
}

async function report(
  { state: { start }, run: { id }, known }: Held,
  { parts, progress }: Pick<Seen, 'parts'> & { readonly progress: object },
): Promise<void> {
  const { runs, ports } = start;
  const isFirst = known.size === 0;
  const now = parts.map((part) => ({ part, state: partState(part, id) }));
  const ended = now.filter(
    ({ part, state }) => !isFirst && known.get(part.position) !== state && (state === 'success' || state === 'failed'),
  );
  const nameOf = await tehsilNames(
    ports.places,
    ended.map(({ part }) => part.tehsilId),
  );
  for (const { part, state } of ended) {
    const reason = part.failure ?? part.run?.error;
    const outcome = state === 'failed' ? `failed: ${reason?.message ?? ''}` : part.isReused ? 'reused' : 'success';
    const data = { message: `${nameOf(part.tehsilId)}: ${outcome}`, position: part.position, state };
    await runs.appendEvent(id, { kind: 'log', data });
    // The state is set after each line, because otherwise a retry after a failed write would repeat earlier lines.
    known.set(part.position, state);
  }
  for (const { part, state } of now) known.set(part.position, state);
  if (isFirst || ended.length > 0) await runs.appendEvent(id, { kind: 'progress', data: { ...progress } });
}

async function ended({ state, run }: Held, { parts, summary }: Seen): Promise<Looked | undefined> {
  const { runs, ports } = state.start;
  const { id, token } = run;
  const { counts, tehsils, reused } = summary;
  if (counts.success + counts.failed < tehsils) return undefined;
  const end =
    counts.failed === 0
      ? { timings: { tehsils, reused } }
      : { failure: await partialFailure(parts, { id, places: ports.places }) };
  const outcome = await runs.endParts(id, token, end);
  // `open`: a user has retried a failed tehsil. `cancelled`: the next call of `look` ends the run.
  return outcome === 'open' || outcome === 'cancelled' ? 'again' : 'left';
}

const MOST_NAMES = 10;

async function partialFailure(
  parts: readonly RunPart[],
  { id, places }: { readonly id: string; readonly places: StartDeps['ports']['places'] },
): Promise<RunFailure> {
  const failed = parts.filter((part) => partState(part, id) === 'failed');
  const named = failed.slice(0, MOST_NAMES).map(({ tehsilId }) => tehsilId);
  const nameOf = await tehsilNames(places, named);
  const names = named.map((tehsilId) => nameOf(tehsilId, 'brackets'));
  const more = failed.length > names.length ? ` and ${failed.length - names.length} more` : '';
  const others = failed.length < parts.length ? 'All others are published. ' : '';
  const message =
    `${failed.length} of ${parts.length} tehsils failed: ${names.join(', ')}${more}. ${others}` +
    'Remove the causes, which the report lists, then retry the failed tehsils.';
  return { code: 'dependency_failed', message };
}

async function startParts(held: Held, { parts, summary }: Seen): Promise<Looked> {
  const { run, state, troubles } = held;
  const { queued, running } = summary.counts;
  const { account } = held;
  if (account?.isUnknown === true && queued + running === 0) {
    await state.start.runs.fail(run.id, run.token, { code: 'validation', message: `${account.reason}.` });
    return 'left';
  }
  if ((account?.untilMs ?? 0) > state.start.ports.now().getTime()) return 'continues';
  let [room, stored, problems] = [Math.max(AHEAD, Math.ceil(running / RUNNING_PER_WAITING)) - queued, 0, 0];
  for (const part of parts) {
    if (room <= 0 || problems >= AHEAD || state.shutdown.signal.aborted) break;
    if (partState(part, run.id) !== 'waiting' || isTooEarly(held, part)) continue;
    const outcome = await startPart(held, part);
    if (outcome === 'account') return 'continues';
    held.account = undefined;
    if (outcome === 'queued') room -= 1;
    else if (outcome === 'problem') problems += 1;
    else if (outcome !== 'ok' || ++stored >= MOST_STORED) return 'again';
    if (outcome !== 'problem') troubles.delete(part.position);
  }
  return 'continues';
}

const isTooEarly = ({ state, troubles }: Held, { position }: RunPart): boolean =>
  (troubles.get(position)?.untilMs ?? 0) > state.start.ports.now().getTime();

/** Starts one tehsil. A new run and its link to the part are stored in one transaction. */
async function startPart(held: Held, part: RunPart): Promise<PartOutcome | 'queued' | 'problem' | 'account'> {
  const { state, run } = held;
  const { position } = part;
  let result: PartResult;
  try {
    const started = await startTehsil(state, run, part);
    if ('runId' in started && !started.isReused) return 'queued';
    result = started;
  } catch (error) {
    const refusal = partRefusal(error);
    if (refusal !== undefined) return refusal;
    if (isAccountRefusal(error)) {
      await waitForAccount(held, error);
      return 'account';
    }
    const failure = toRunFailure(error, run.id, state.logger);
    const isPassing = failure.code === 'unavailable' || failure.code === 'took_too_long';
    if (isPassing && (await isTriedAgain(held, part, failure))) return 'problem';
    result = { failure };
  }
  return await state.start.runs.setPart(run.id, run.token, { position, result });
}

async function waitForAccount(held: Held, error: DomainError): Promise<void> {
  const { state, run, account: before } = held;
  const { runs, ports } = state.start;
  held.account = accountWait(error, { before, nowMs: ports.now().getTime(), idleMs: state.idleMs });
  const { reason } = held.account;
  if (before?.reason !== reason)
    await runs.appendEvent(run.id, { kind: 'log', data: { message: `no further tehsil is started: ${reason}` } });
}

/** Logs once why a tehsil could not be started. Returns false after the last try. */
async function isTriedAgain(held: Held, { position, tehsilId }: RunPart, { message }: RunFailure): Promise<boolean> {
  const { state, run, troubles } = held;
  const { runs, ports } = state.start;
  const tries = (troubles.get(position)?.tries ?? 0) + 1;
  if (tries >= MOST_TRIES) return false;
  if (tries === 1) {
    const name = (await tehsilNames(ports.places, [tehsilId]))(tehsilId);
    await runs.appendEvent(run.id, {
      kind: 'log',
      data: { message: `${name}: not started, retried later: ${message}` },
    });
  }
  troubles.set(position, { tries, untilMs: ports.now().getTime() + state.idleMs * 2 ** tries });
  return true;
}

async function startTehsil({ start, startOf }: State, run: Run, part: RunPart): Promise<PartResult> {
  const { computes, request, overwrite, withDependencies } = scopeParams.parse(run.params);
  const { tehsilId, position } = part;
  const pipeline = start.pipelines.get(computes);
  const [names] = await start.ports.places.namesOf([tehsilId]);
  if (pipeline === undefined || names === undefined) {
    const what = pipeline === undefined ? `Pipeline ${computes}` : 'The tehsil';
    return { failure: { code: 'input_data', message: `${what} does not exist any more.` } };
  }
  const principal = { user: { id: run.ownerId ?? 0, isSuperuser: false } };
  const started = await startRun(startOf(principal), {
    principal,
    pipeline,
    request: requestOfTehsil(pipeline, request, names),
    options: { overwrite, withDependencies, ...(run.requestId === null ? {} : { requestId: run.requestId }) },
    parentId: run.id,
    part: { position, token: run.token },
  });
  return { runId: started.run.id, isReused: started.reused };
}
