import type { Run } from '../ports/runs.ts';

/** Parameters of a run without `bulk`, which can be large: see `Run.params`. */
export function withoutBulk(params: Run['params']): Run['params'] {
  const { bulk: _, ...shown } = params;
  return shown;
}
