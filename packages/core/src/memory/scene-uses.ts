import type { ClaimedSceneUse, SceneUse, SceneUseStore, TehsilSceneUse } from '../ports/scene-uses.ts';
import { copy } from './copy.ts';
import type { RunTable } from './run-table.ts';

type Row = Omit<SceneUse, 'isWhole'> & { readonly open: number };

const shown = ({ open, ...use }: Row): SceneUse => copy({ ...use, isWhole: open === 0 });
const isDue = (row: Row): row is Row & { readonly dueAt: string } => row.dueAt !== null;
const isFinal = ({ eecuSeconds, problem, dueAt }: Row): boolean =>
  eecuSeconds !== null && problem === null && dueAt === null;
const perPixel = ({ eecuSeconds, pixels }: Row): number => (eecuSeconds ?? 0) / pixels;

/** Uses of scenes by runs, in memory. The uses of a removed run are removed at the next call. */
export function memorySceneUses({ runs }: Pick<RunTable, 'runs'>): SceneUseStore {
  const rows = new Map<string, Row>();
  const found = (): Row[] => {
    for (const id of rows.keys()) if (!runs.has(id)) rows.delete(id);
    return [...rows.values()];
  };
  return {
    begin: async (use) => {
      if (!runs.has(use.runId)) return;
      const known = rows.get(use.runId);
      if (known === undefined) {
        rows.set(use.runId, { ...copy(use), ...NEW, open: 1 });
        return;
      }
      const project = known.project === use.project ? use.project : null;
      const { eecuSeconds, problem, reads } = NEW;
      const { dueAt } = use;
      rows.set(use.runId, { ...known, project, eecuSeconds, problem, reads, dueAt, open: known.open + 1 });
    },
    end: async (runId, { requests, pixels, bytes }) => {
      const row = rows.get(runId);
      if (row === undefined) return;
      const sums = { requests: row.requests + requests, pixels: row.pixels + pixels, bytes: row.bytes + bytes };
      rows.set(runId, { ...row, ...sums, open: row.open - 1 });
    },
    claim: async (now, leaseMs) => {
      const [first] = found()
        .filter(isDue)
        .filter(({ dueAt }) => dueAt <= now.toISOString())
        .sort((a, b) => a.dueAt.localeCompare(b.dueAt) || a.runId.localeCompare(b.runId));
      if (first === undefined) return undefined;
      const claimed = { ...first, dueAt: new Date(now.getTime() + leaseMs).toISOString() };
      rows.set(first.runId, claimed);
      return { ...shown(claimed), dueAt: claimed.dueAt } satisfies ClaimedSceneUse;
    },
    save: async ({ runId, dueAt }, change) => {
      const row = rows.get(runId);
      if (row?.dueAt !== dueAt) return false;
      rows.set(runId, { ...row, ...copy(change) });
      return true;
    },
    ofRun: async (runId) => {
      const row = found().find((each) => each.runId === runId);
      return row === undefined ? undefined : shown(row);
    },
    ofRequestedRuns: async (runId) => {
      const tehsilOf = (id: string): number | undefined => {
        const run = runs.get(id);
        if (run === undefined || run.parentId === null) return undefined;
        if (run.parentId !== runId) return tehsilOf(run.parentId);
        const { tehsilId } = run.params;
        return typeof tehsilId === 'number' ? tehsilId : undefined;
      };
      const used = found().filter(({ open, requests }) => open > 0 || requests > 0);
      return [...Map.groupBy(used, (row) => tehsilOf(row.runId))]
        .flatMap(([tehsilId, own]) => (tehsilId === undefined ? [] : [summed(tehsilId, own)]))
        .sort((a, b) => a.tehsilId - b.tehsilId);
    },
    measured: async (accountId, most) => {
      const newest = found()
        .filter(isFinal)
        .filter((row) => row.open === 0 && row.pixels > 0)
        .filter((row) => accountId === null || row.accountId === accountId)
        .sort((a, b) => b.startedAt.localeCompare(a.startedAt) || b.runId.localeCompare(a.runId))
        .slice(0, most);
      if (newest.length === 0) return undefined;
      const factors = newest.map(perPixel);
      return {
        runs: newest.length,
        pixels: newest.reduce((sum, { pixels }) => sum + pixels, 0),
        eecuSeconds: newest.reduce((sum, row) => sum + (row.eecuSeconds ?? 0), 0),
        least: Math.min(...factors),
        most: Math.max(...factors),
      };
    },
  };
}

const NEW = { requests: 0, pixels: 0, bytes: 0, eecuSeconds: null, problem: null, reads: 0 } as const;

function summed(tehsilId: number, rows: readonly Row[]): TehsilSceneUse {
  const sum = (name: 'requests' | 'pixels' | 'bytes'): number => rows.reduce((total, row) => total + row[name], 0);
  const known = rows.flatMap(({ eecuSeconds }) => eecuSeconds ?? []);
  const without = rows.filter(({ eecuSeconds }) => eecuSeconds === null);
  const [problem = null] = rows.flatMap((row) => row.problem ?? []).sort();
  return {
    tehsilId,
    requests: sum('requests'),
    pixels: sum('pixels'),
    bytes: sum('bytes'),
    eecuSeconds: known.length === 0 ? null : known.reduce((total, seconds) => total + seconds, 0),
    missing: without.filter(isDue).length,
    unknown: without.filter((row) => !isDue(row)).length,
    isFinal: rows.every(isFinal),
    problem,
  };
}
