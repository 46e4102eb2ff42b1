import type { Run, RunEvent, WriteOutcome } from '../ports/runs.ts';
import type { Clock } from '../ports/system.ts';
import { stateEventData } from '../runs/transitions.ts';
import { type MemoryTurns, memoryTurns } from './run-turns.ts';

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
