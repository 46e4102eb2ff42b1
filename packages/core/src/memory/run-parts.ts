import type { NewRunPart, PartResult, RunPart, RunStore } from '../ports/runs.ts';
import { hasEnded } from '../runs/transitions.ts';
import { copy } from './copy.ts';
import type { RunTable } from './run-table.ts';

type Stored = Omit<RunPart, 'run'>;

/** Parts of runs in memory. */
export interface MemoryParts extends Pick<RunStore, 'parts' | 'setPart' | 'pauseParts' | 'retryParts'> {
  readonly add: (runId: string, parts: readonly NewRunPart[]) => void;
  readonly forget: (runId: string) => void;
}

/** Builds the parts of the runs of a table. */
export function memoryParts(table: RunTable): MemoryParts {
  const partsOf = new Map<string, readonly Stored[]>();
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
    forget: (runId) => void partsOf.delete(runId),
    parts: async (id) => copy((partsOf.get(id) ?? []).map((part) => ({ ...part, run: shown(table, part) }))),
    setPart: async (id, token, { position, result }) =>
      table.write(id, token, (run) => {
        if (partsOf.get(id)?.[position] === undefined) return 'lost';
        change(id, (part) => (part.position === position ? { ...part, ...members(copy(result)) } : part));
        return run.cancelRequested ? 'cancelled' : 'ok';
      }),
    pauseParts: async (id, isPaused) =>
      change(id, (part) => (part.runId === null && part.failure === null ? { ...part, isPaused } : part)),
    retryParts: async (id) => {
      const before = (partsOf.get(id) ?? []).filter(isFailed).length;
      change(id, (part) =>
        isFailed(part) ? { ...part, runId: null, isReused: false, isPaused: false, failure: null } : part,
      );
      return before - (partsOf.get(id) ?? []).filter(isFailed).length;
    },
  };
}

const newPart = ({ tehsilId, work, runId }: NewRunPart, position: number): Stored => ({
  position,
  tehsilId,
  work,
  runId: runId ?? null,
  isReused: runId !== undefined,
  isPaused: false,
  failure: null,
});

const members = (result: PartResult): Pick<Stored, 'runId' | 'isReused' | 'failure'> =>
  'failure' in result ? { runId: null, isReused: false, failure: result.failure } : { ...result, failure: null };

function shown({ runs }: RunTable, { runId }: Stored): RunPart['run'] {
  const run = runs.get(runId ?? '');
  if (run === undefined) return null;
  const { parentId, state, progress, step, error, startedAt, finishedAt } = run;
  const isBegun =
    state !== 'queued' || [...runs.values()].some((each) => each.parentId === run.id && each.state === 'running');
  return { parentId, state, progress, step, error, startedAt, finishedAt, isBegun };
}
