import type { Run, RunEvent, WriteOutcome, ClaimOptions } from '../ports/runs.ts';
import type { Clock } from '../ports/host.ts';
import { turnOf } from '../runs/calls.ts';
import { hasEnded, isUnowned, stateEventData } from '../runs/transitions.ts';

/** Claim order in which every owner gets a fair share of the workers. */
interface ClaimOrder {
  /** Returns the runs that a claim may take, in order. The input is sorted by age, oldest first. */
  readonly order: (runs: readonly Run[], options: ClaimOptions) => readonly Run[];
  readonly claimed: (run: Run, nowMs: number) => void;
  readonly lastClaim: (runs: readonly Run[]) => number | undefined;
  readonly forget: (runId: string) => void;
}

interface Claim {
  readonly nowMs: number;
  readonly count: number;
}

function createClaimOrder(): ClaimOrder {
  const claims = new Map<string, Claim>();
  let claimCount = 0;
  const lastOf = (runs: readonly Run[]): Claim | undefined =>
    runs.reduce<Claim | undefined>((last, { id }) => {
      const claim = claims.get(id);
      return claim === undefined || (last !== undefined && last.count > claim.count) ? last : claim;
    }, undefined);
  return {
    order: (runs, { queue, queues, pipelines, backend = 'local' }) => {
      const isIn = (run: Run): boolean =>
        queue === undefined ? (queues?.includes(run.queue) ?? true) : run.queue === queue;
      const ofQueue = runs.filter((run) => run.backend === backend && isIn(run));
      const isUsable = (run: Run): boolean => pipelines.includes(run.pipeline);
      if (queue === undefined) return ofQueue.filter(isUsable);
      const isNew = ({ state, token }: Run): boolean => state === 'queued' && token === 0;
      const owners = Map.groupBy(ofQueue, ({ ownerId }) => ownerId);
      const waiting = Map.groupBy(ofQueue.filter(isNew), ({ ownerId }) => ownerId);
      // Owners are sorted by the time of their last claim. Owners without a claim come first, in the order of their
      // runs.
      const lastClaims = [...waiting.keys()].map((owner) => ({
        owner,
        last: lastOf(owners.get(owner) ?? [])?.count ?? 0,
      }));
      const fair = lastClaims
        .sort((a, b) => a.last - b.last)
        .flatMap(({ owner }) => smallFirst(waiting.get(owner) ?? []));
      return [...ofQueue.filter((run) => !isNew(run)), ...fair].filter(isUsable);
    },
    claimed: ({ id }, nowMs) => {
      claimCount += 1;
      claims.set(id, { nowMs, count: claimCount });
    },
    lastClaim: (runs) => lastOf(runs)?.nowMs,
    forget: (runId) => void claims.delete(runId),
  };
}

/**
 * Sorts the new runs of one owner, or all new runs without an owner, for claims. Runs stay sorted by age, unless
 * `isUnowned` is true for the oldest run. In this case, all unowned runs come first, sorted by `turnOf`, which delays
 * large regions.
 */
function smallFirst(runs: readonly Run[]): readonly Run[] {
  const [oldest] = runs;
  if (oldest === undefined || !isUnowned(oldest)) return runs;
  const calls = runs.filter(isUnowned).toSorted((a, b) => turnOf(a) - turnOf(b));
  return [...calls, ...runs.filter((run) => !isUnowned(run))];
}

/** Runs and their events, with functions that change them. */
export interface RunTable {
  readonly claimOrder: ClaimOrder;
  /** Runs in the order of their arrival. */
  readonly runs: Map<string, Run>;
  readonly events: Map<string, RunEvent[]>;
  readonly now: () => string;
  readonly nowMs: () => number;
  readonly append: (id: string, event: Pick<RunEvent, 'kind' | 'data'>) => RunEvent;
  /** Stores a run in its new state and appends a state event. */
  readonly change: (run: Run) => Run;
  /** Calls `write` with a run if it is running and `token` is its fencing token; otherwise returns `lost`. */
  readonly write: (id: string, token: number, write: (run: Run) => WriteOutcome) => WriteOutcome;
}

/** Builds a table without runs. */
export function createRunTable(clock: Clock): RunTable {
  const runs = new Map<string, Run>();
  const events = new Map<string, RunEvent[]>();
  const now = (): string => clock.now().toISOString();
  const append: RunTable['append'] = (runId, { kind, data }) => {
    const past = events.get(runId) ?? [];
    const event = { runId, seq: (past.at(-1)?.seq ?? 0) + 1, at: now(), kind, data };
    past.push(event);
    events.set(runId, past);
    return event;
  };
  const change = (run: Run): Run => {
    runs.set(run.id, run);
    append(run.id, { kind: 'state', data: stateEventData(run) });
    return run;
  };
  const write: RunTable['write'] = (id, token, then) => {
    const run = runs.get(id);
    return run === undefined || run.state !== 'running' || run.token !== token ? 'lost' : then(run);
  };
  return {
    runs,
    events,
    claimOrder: createClaimOrder(),
    now,
    nowMs: () => clock.now().getTime(),
    append,
    change,
    write,
  };
}

/** Returns the runs that have not ended, in the order of their arrival. */
export const openRuns = ({ runs }: { readonly runs: ReadonlyMap<string, Run> }): readonly Run[] =>
  [...runs.values()].filter((run) => !hasEnded(run));
