import type {
  EnqueuedRun,
  NewRun,
  NewRunPart,
  PartOutcome,
  PartPlace,
  PartResult,
  RunPart,
  RunStore,
  WriteOutcome,
} from '../ports/runs.ts';
import { isOpenPart, partRefused, partState } from '../runs/scope-report.ts';
import { failedRun, hasEnded, succeededRun } from '../runs/transitions.ts';
import { copy } from './copy.ts';
import { stopChildren } from './run-claims.ts';
import type { RunTable } from './run-table.ts';

type Stored = Omit<RunPart, 'run' | 'isPaused'>;

/** Parts of runs in memory. */
export interface MemoryParts extends Pick<RunStore, 'parts' | 'setPart' | 'pauseParts' | 'retryParts' | 'endParts'> {
  readonly add: (runId: string, parts: readonly NewRunPart[]) => void;
  /**
   * Stores a run by calling `store`, as a part of its parent run if `part` is set. Throws `partRefused` if the part
   * must not be started.
   */
  readonly inPart: (run: NewRun, part: PartPlace | undefined, store: () => EnqueuedRun) => EnqueuedRun;
  readonly forget: (runId: string) => void;
}

/** Builds the parts of the runs of a table. */
export function memoryParts(table: RunTable): MemoryParts {
  const partsOf = new Map<string, readonly Stored[]>();
  const paused = new Set<string>();
  const shownParts = (id: string): readonly RunPart[] =>
    (partsOf.get(id) ?? []).map((part) => ({ ...part, isPaused: paused.has(id), run: shown(table, part) }));
  const set = (id: string, position: number, result: PartResult): void =>
    change(id, (part) => (part.position === position ? { ...part, ...members(copy(result)) } : part));
  const check = (id: string, { position, token }: PartPlace): PartOutcome => {
    const outcome = table.write(id, token, (run) => (run.cancelRequested ? 'cancelled' : 'ok'));
    if (outcome !== 'ok') return outcome;
    const state = shownParts(id)
      .filter((part) => part.position === position)
      .map((part) => partState(part, id))[0];
    return state === 'waiting' ? 'ok' : state === 'paused' ? 'paused' : 'lost';
  };
  const change = (id: string, next: (part: Stored) => Stored): void => {
    const run = table.runs.get(id);
    if (run !== undefined && !hasEnded(run)) partsOf.set(id, (partsOf.get(id) ?? []).map(next));
  };
  const isFailed = ({ failure, runId }: Stored): boolean =>
    failure !== null || table.runs.get(runId ?? '')?.state === 'failed';
  return {
    add: (runId, parts) => {
      if (parts.length > 0) partsOf.set(runId, copy(parts).map(newPart));
    },
    inPart: ({ parentId = '' }, part, store) => {
      const outcome = part === undefined ? 'ok' : check(parentId, part);
      if (outcome !== 'ok') throw partRefused(parentId, outcome);
      const stored = store();
      if (part !== undefined) set(parentId, part.position, { runId: stored.run.id, isReused: false });
      return stored;
    },
    forget: (runId) => {
      partsOf.delete(runId);
      paused.delete(runId);
    },
    parts: async (id) => copy(shownParts(id)),
    setPart: async (id, token, { position, result }) => {
      const outcome = check(id, { position, token });
      if (outcome === 'ok') set(id, position, result);
      return outcome;
    },
    pauseParts: async (id, isPaused) => {
      const run = table.runs.get(id);
      if (run === undefined || hasEnded(run)) return false;
      if (isPaused) paused.add(id);
      else paused.delete(id);
      return true;
    },
    retryParts: async (id) => {
      const before = (partsOf.get(id) ?? []).filter(isFailed).length;
      change(id, (part) => (isFailed(part) ? { ...part, runId: null, isReused: false, failure: null } : part));
      return before - (partsOf.get(id) ?? []).filter(isFailed).length;
    },
    endParts: async (id, token, end) => {
      let isOpen = false;
      const outcome = table.write(id, token, (run): WriteOutcome => {
        if (run.cancelRequested) return 'cancelled';
        isOpen = shownParts(id).some((part) => isOpenPart(part, id));
        if (isOpen) return 'ok';
        if ('failure' in end) {
          table.change(failedRun(run, copy(end.failure), table.now()));
          stopChildren(table, run);
        } else table.change(succeededRun(run, { items: [], layers: [], timings: copy(end.timings) }, table.now()));
        return 'ok';
      });
      return isOpen ? 'open' : outcome;
    },
  };
}

const newPart = ({ tehsilId, work, runId }: NewRunPart, position: number): Stored => ({
  position,
  tehsilId,
  work,
  runId: runId ?? null,
  isReused: runId !== undefined,
  failure: null,
});

const members = (result: PartResult): Pick<Stored, 'runId' | 'isReused' | 'failure'> =>
  'failure' in result ? { runId: null, isReused: false, failure: result.failure } : { ...result, failure: null };

function shown({ runs }: RunTable, { runId }: Stored): RunPart['run'] {
  const run = runs.get(runId ?? '');
  if (run === undefined) return null;
  const { parentId, state, progress, step, error, startedAt, finishedAt } = run;
  const needed = [...runs.values()].filter((each) => each.parentId === run.id);
  const isBegun = state !== 'queued' || needed.some((each) => each.state === 'running');
  const begunAt = [run, ...needed].flatMap((each) => each.startedAt ?? []).toSorted()[0] ?? null;
  return { parentId, state, progress, step, error, begunAt, startedAt, finishedAt, isBegun };
}
