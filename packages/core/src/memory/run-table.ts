import type { Run, RunEvent, WriteOutcome, ClaimOptions } from '../ports/runs.ts';
import type { Clock } from '../ports/system.ts';
import { stateEventData } from '../runs/transitions.ts';

/** Whose turn it is in a queue. */
interface MemoryTurns {
  /** Those of these runs, oldest first, that a claim is about, in the order in which it looks at them. */
  readonly order: (runs: readonly Run[], options: ClaimOptions) => readonly Run[];
  readonly claimed: (run: Run, nowMs: number) => void;
  /** When one of these runs was claimed last, ms; undefined for never. */
  readonly lastClaim: (runs: readonly Run[]) => number | undefined;
  readonly forget: (runId: string) => void;
}

interface Claim {
  readonly nowMs: number;
  /** Counts claims: of two at one moment the later one is later. */
  readonly turn: number;
}

/** Builds the turns of no claim yet. */
function memoryTurns(): MemoryTurns {
  const claims = new Map<string, Claim>();
  let turn = 0;
  const lastOf = (runs: readonly Run[]): Claim | undefined =>
    runs.reduce<Claim | undefined>((last, { id }) => {
      const claim = claims.get(id);
      return claim === undefined || (last !== undefined && last.turn > claim.turn) ? last : claim;
    }, undefined);
  return {
    order: (runs, { queue, pipelines, backend = 'local' }) => {
      const there = runs.filter((run) => run.backend === backend && run.queue === (queue ?? run.queue));
      const isUsable = (run: Run): boolean => pipelines.includes(run.pipeline);
      if (queue === undefined) return there.filter(isUsable);
      const isNew = ({ state, token }: Run): boolean => state === 'queued' && token === 0;
      const owners = Map.groupBy(there, ({ ownerId }) => ownerId);
      const waiting = Map.groupBy(there.filter(isNew), ({ ownerId }) => ownerId);
      // Sorting keeps the order of equals: of owners without a claim the one that came first.
      const turns = [...waiting.keys()].map((owner) => ({ owner, last: lastOf(owners.get(owner) ?? [])?.turn ?? 0 }));
      const byTurn = turns.sort((a, b) => a.last - b.last).flatMap(({ owner }) => waiting.get(owner) ?? []);
      return [...there.filter((run) => !isNew(run)), ...byTurn].filter(isUsable);
    },
    claimed: ({ id }, nowMs) => {
      turn += 1;
      claims.set(id, { nowMs, turn });
    },
    lastClaim: (runs) => lastOf(runs)?.nowMs,
    forget: (runId) => void claims.delete(runId),
  };
}

/** Runs and their events, with the ways to change them. */
export interface RunTable {
  readonly turns: MemoryTurns;
  /** In the order of their coming. */
  readonly runs: Map<string, Run>;
  readonly events: Map<string, RunEvent[]>;
  readonly now: () => string;
  readonly nowMs: () => number;
  readonly append: (id: string, event: Pick<RunEvent, 'kind' | 'data'>) => RunEvent;
  /** Stores a run in its new state and tells of it. */
  readonly change: (run: Run) => Run;
  /** The fence: lets only the holder of the running run's token write. */
  readonly write: (id: string, token: number, write: (run: Run) => WriteOutcome) => WriteOutcome;
}

/** A table without runs. */
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
  return { runs, events, turns: memoryTurns(), now, nowMs: () => clock.now().getTime(), append, change, write };
}
