import type { RemovedRuns, Run, RunAges, RunEvent, RunStore } from '../ports/runs.ts';
import type { MemoryCatalog } from './catalog.ts';
import type { MemoryData } from './data.ts';

/** Runs and their events, as much of them as ages need. */
interface AgingTable {
  readonly runs: Map<string, Run>;
  readonly events: Map<string, RunEvent[]>;
  readonly nowMs: () => number;
}

/** What depends on how long ago something was: files in use, and what is removed. `forgetKeys` removes what else is noted of a run. */
export function memoryAges(
  table: AgingTable,
  { catalog, data }: { readonly catalog: MemoryCatalog; readonly data: MemoryData },
  forgetKeys: (runId: string) => void,
): Pick<RunStore, 'liveAttempts' | 'removeOld'> {
  /** Since when a run shows nothing of what it published, epoch ms. */
  const replacedAt = new Map<string, number>();
  const isKept = (id: string, keepMs: number): boolean => {
    if (catalog.holds(id) || data.shown(id) > 0) return true;
    const since = replacedAt.get(id) ?? table.nowMs();
    replacedAt.set(id, since);
    return table.nowMs() - since < keepMs;
  };
  const forget = (id: string): void => {
    catalog.forget(id);
    forgetKeys(id);
    replacedAt.delete(id);
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
  };
}

interface Removal {
  /** True where nothing of an ended run is shown, and has not been for long enough. */
  readonly isGone: (run: Run) => boolean;
  readonly forget: (id: string) => void;
}

function removeOld(table: AgingTable, { eventsMs, runsMs, most }: RunAges, { isGone, forget }: Removal): RemovedRuns {
  const isOld = ({ finishedAt }: Run, ageMs: number): boolean =>
    ageMs > 0 && finishedAt !== null && Date.parse(finishedAt) < table.nowMs() - ageMs;
  // `isGone` first, of every run: asking is what notes since when one is replaced.
  const open = [...table.runs.values()].filter(({ finishedAt }) => finishedAt === null);
  const awaited = new Set(open.flatMap(({ after }) => after));
  const gone = [...table.runs.values()].filter((run) => isGone(run) && isOld(run, runsMs) && !awaited.has(run.id));
  for (const { id } of gone.slice(0, most)) {
    table.runs.delete(id);
    table.events.delete(id);
    forget(id);
  }
  const isNews = ({ kind }: RunEvent): boolean => kind !== 'state';
  const quiet = [...table.runs.values()].filter(
    (run) => isOld(run, eventsMs) && (table.events.get(run.id) ?? []).some(isNews),
  );
  let events = 0;
  for (const { id } of quiet.slice(0, most)) {
    const past = table.events.get(id) ?? [];
    const kept = past.filter((event) => !isNews(event));
    events += past.length - kept.length;
    table.events.set(id, kept);
  }
  return { events, runs: Math.min(most, gone.length), isMore: gone.length >= most || quiet.length >= most };
}
