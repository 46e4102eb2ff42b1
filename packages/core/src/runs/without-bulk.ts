import type { Run } from '../ports/runs.ts';

/** Parameters of a run without `bulk`, which can be large, and without `call`, which is not public: see `Run.params`. */
export function withoutBulk(params: Run['params']): Run['params'] {
  const { bulk: _bulk, call: _call, ...shown } = params;
  return shown;
}
