import type { ClaimedExport, EoExport, EoExportChange, EoExportStore } from '../ports/eo-exports.ts';
import { copy } from './copy.ts';

type Row = EoExport & { readonly leaseUntil: string | null };

const isOpen = ({ state }: EoExport): boolean => state === 'waiting' || state === 'running';
const freeAt = ({ dueAt, leaseUntil }: Row): string => (leaseUntil !== null && leaseUntil > dueAt ? leaseUntil : dueAt);

function shown(row: Row): EoExport {
  const { leaseUntil: _lease, ...members } = row;
  return copy(members);
}

/** Store in memory of exports to platforms such as Earth Engine. */
export function memoryEoExports(): EoExportStore {
  const rows = new Map<string, Row>();
  const found = (): Row[] => [...rows.values()];
  return {
    add: async (wanted) => {
      if (found().some(({ assetKey, id }) => assetKey === wanted.assetKey || id === wanted.id)) return false;
      rows.set(wanted.id, { ...NEW, ...copy(wanted), dueAt: wanted.createdAt });
      return true;
    },
    claim: async (now, leaseMs) => {
      const at = now.toISOString();
      const [first] = found()
        .filter((row) => isOpen(row) && freeAt(row) <= at)
        .sort((a, b) => (a.dueAt === b.dueAt ? a.id.localeCompare(b.id) : a.dueAt.localeCompare(b.dueAt)));
      if (first === undefined) return undefined;
      const claimed: ClaimedExport = { ...first, leaseUntil: new Date(now.getTime() + leaseMs).toISOString() };
      rows.set(first.id, claimed);
      return copy(claimed);
    },
    save: async ({ id, leaseUntil }, change, options = {}) => {
      const row = rows.get(id);
      if (row?.leaseUntil !== leaseUntil) return false;
      rows.set(id, { ...row, ...definedOf(change), leaseUntil: options.leaseUntil ?? null });
      return true;
    },
    retry: async (id, now) => {
      const row = rows.get(id);
      if (row?.state !== 'failed') return undefined;
      const due = {
        ...row,
        state: 'waiting',
        source: null,
        operation: null,
        failures: 0,
        dueAt: now.toISOString(),
      } as const;
      rows.set(id, due);
      return shown(due);
    },
    byId: async (id) => {
      const row = rows.get(id);
      return row === undefined ? undefined : shown(row);
    },
    ofFiles: async (keys) =>
      found()
        .filter(({ assetKey }) => keys.includes(assetKey))
        .map(shown),
    openOf: async (layer) =>
      found()
        .filter((row) => isOpen(row) && row.workspace === layer.workspace && row.layerName === layer.layerName)
        .map(shown),
    list: async ({ state, limit, offset }) => {
      const wanted = found().filter((row) => state === undefined || row.state === state);
      const sorted = wanted.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
      return { rows: sorted.slice(offset, offset + limit).map(shown), total: wanted.length };
    },
    nextDue: async () => found().filter(isOpen).map(freeAt).sort()[0] ?? null,
  };
}

const NEW = {
  assetPath: null,
  source: null,
  operation: null,
  state: 'waiting',
  attempts: 0,
  failures: 0,
  problem: null,
  eecuSeconds: null,
  leaseUntil: null,
} as const;

const definedOf = (change: EoExportChange): EoExportChange =>
  Object.fromEntries(Object.entries(copy(change)).filter(([, value]) => value !== undefined));
