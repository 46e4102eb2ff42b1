import type { RegionsToRemove, RemovedRuns, Run, RunAges, RunEvent, RunStore } from '../ports/runs.ts';
import type { MemoryCatalog } from './catalog.ts';
import { copy } from './copy.ts';
import type { MemoryData } from './data.ts';
import { unpublish } from './unpublish.ts';

interface AgingTable {
  readonly runs: Map<string, Run>;
  readonly events: Map<string, RunEvent[]>;
  readonly nowMs: () => number;
}

/**
 * Methods of the run store that depend on the ages of runs. `forgetRest` removes data of a run outside of `table`,
 * `catalog` and `data`, such as its request keys.
 */
export function memoryAges(
  table: AgingTable,
  { catalog, data }: { readonly catalog: MemoryCatalog; readonly data: MemoryData },
  forgetRest: (runId: string) => void,
): Pick<RunStore, 'liveAttempts' | 'removeOld' | 'removeRegions' | 'unpublish'> {
  /** Time of the first check that found no current result of a run, epoch ms, by run id. */
  const replacedAt = new Map<string, number>();
  const isKept = (id: string, keepMs: number): boolean => {
    if (catalog.holds(id) || data.shown(id) > 0) return true;
    const since = replacedAt.get(id) ?? table.nowMs();
    replacedAt.set(id, since);
    return table.nowMs() - since < keepMs;
  };
  const forget = (id: string): void => {
    catalog.forget(id);
    forgetRest(id);
    replacedAt.delete(id);
  };
  /**
   * Removes the data of the runs without current results, and counts their results as replaced long ago. Returns the
   * attempts of these runs.
   */
  const free = (runIds: readonly string[]): readonly { readonly id: string; readonly token: number }[] => {
    const gone = runIds.filter((id) => !catalog.holds(id) && data.shown(id) === 0);
    for (const id of gone) {
      catalog.forget(id);
      replacedAt.set(id, -Infinity);
    }
    return gone.flatMap((id) => {
      const run = table.runs.get(id);
      return run === undefined ? [] : [{ id, token: run.token }];
    });
  };
  return {
    liveAttempts: async (keepMs = 0) =>
      [...table.runs.values()]
        .filter(({ id, state }) => state === 'running' || (state === 'success' && isKept(id, keepMs)))
        .map(({ id, token }) => ({ id, token })),
    removeOld: async (ages) => {
      const isGone = ({ id, state }: Run): boolean =>
        state === 'failed' || (state === 'success' && !isKept(id, ages.runsMs + 1));
      return removeOld(table, ages, { isGone, forget });
    },
    removeRegions: async (which) => {
      const { runIds, ...removed } = catalog.regions.remove(pathsOf(which, { catalog, nowMs: table.nowMs() }));
      data.removeOf(runIds);
      return { ...removed, attempts: free(runIds) };
    },
    unpublish: async (item) => {
      const gone = unpublish({ table, catalog: catalog.tables, data }, item);
      return gone === undefined ? undefined : copy({ ...gone.unpublished, attempts: free(gone.runIds) });
    },
  };
}

function pathsOf(
  which: RegionsToRemove,
  { catalog, nowMs }: { readonly catalog: MemoryCatalog; readonly nowMs: number },
): readonly string[] {
  if ('path' in which) return [which.path];
  return catalog.regions.olderThan(new Date(nowMs - which.ageMs).toISOString()).slice(0, which.most);
}

interface Removal {
  /** True for failed runs, and for runs whose last current result was replaced more than `runsMs` ago. */
  readonly isGone: (run: Run) => boolean;
  readonly forget: (id: string) => void;
}

function removeOld(table: AgingTable, { eventsMs, runsMs, most }: RunAges, { isGone, forget }: Removal): RemovedRuns {
  const isOld = ({ finishedAt }: Run, ageMs: number): boolean =>
    ageMs > 0 && finishedAt !== null && Date.parse(finishedAt) < table.nowMs() - ageMs;
  // Below, `isGone` is called before the other conditions, because it also records since when a run has had no current
  // results.
  const open = [...table.runs.values()].filter(({ finishedAt }) => finishedAt === null);
  const awaited = new Set(open.flatMap(({ after }) => after));
  const isNeeded = ({ id, parentId }: Run): boolean =>
    awaited.has(id) || (parentId !== null && table.runs.has(parentId));
  const gone = [...table.runs.values()].filter((run) => isGone(run) && isOld(run, runsMs) && !isNeeded(run));
  for (const { id } of gone.slice(0, most)) {
    table.runs.delete(id);
    table.events.delete(id);
    forget(id);
  }
  const isRemovable = ({ kind }: RunEvent): boolean => kind !== 'state';
  const aged = [...table.runs.values()].filter(
    (run) => isOld(run, eventsMs) && (table.events.get(run.id) ?? []).some(isRemovable),
  );
  let events = 0;
  for (const { id } of aged.slice(0, most)) {
    const past = table.events.get(id) ?? [];
    const states = past.filter((event) => !isRemovable(event));
    events += past.length - states.length;
    table.events.set(id, states);
  }
  return { events, runs: Math.min(most, gone.length), isMore: gone.length >= most || aged.length >= most };
}
