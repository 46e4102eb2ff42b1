import type { Run } from '../ports/runs.ts';
import { CANCELLED, cancelledWith, failedRun, hasEnded, isFree } from '../runs/transitions.ts';
import type { RunTable } from './run-table.ts';

/** Ends a run that no worker has, and asks the worker of any other. */
export function askToStop(table: RunTable, run: Run): Run {
  if (isFree(run, table.nowMs())) return table.change(failedRun(run, CANCELLED, table.now()));
  const asked = { ...run, cancelRequested: true };
  table.runs.set(run.id, asked);
  return asked;
}

/** Asks the runs to stop that this one asked for and that no run waits for which goes on. */
export function stopChildren(table: RunTable, run: Pick<Run, 'id'>): void {
  const waiting = [...table.runs.values()].filter((each) => !hasEnded(each));
  const children = waiting.filter(({ parentId }) => parentId === run.id);
  for (const child of cancelledWith(run, { children, waiting })) askToStop(table, child);
}
