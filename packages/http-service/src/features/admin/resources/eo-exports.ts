import type { EoExport } from '@headwater/core/ports';
import type { Ports } from '../../../deps.ts';
import { localText } from '../../../pages/texts.ts';
import type { AdminCaller, AdminResource, AdminValue, LocalText } from '../../../seam/admin-resource.ts';
import { absent } from '../../../wire/absent.ts';
import { textFor } from '../page/admin-parts.ts';
import { moment } from './people-parts.ts';

const LABELS = {
  layer: localText('layer'),
  state: localText('state'),
  account: localText('earthObservationAccount'),
  asset: localText('asset'),
  problem: localText('problem'),
  eecu: localText('eecuSeconds'),
  created: localText('created'),
} satisfies Record<string, LocalText>;

const STATES = {
  waiting: localText('adminWaiting'),
  running: localText('adminRunning'),
  done: localText('succeeded'),
  failed: localText('adminFailed'),
} satisfies Record<EoExport['state'], LocalText>;

const TONES = { waiting: 'off', running: 'off', done: 'ok', failed: 'failing' } as const;

const isState = (name: string): name is EoExport['state'] => Object.hasOwn(STATES, name);

/** Exports of published rasters to Earth Engine, with a retry of failed exports. */
export function eoExportsResource({
  stores,
  eoExporter,
  clock,
}: Ports<'stores' | 'eoExporter' | 'clock'>): AdminResource {
  const { eoExports } = stores;
  return {
    name: 'eo-exports',
    title: localText('exportsToPlatforms'),
    one: localText('exportToPlatform'),
    section: 'work',
    lead: localText('rastersOfAccountsOfAPlatform'),
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label })),
    filters: [
      {
        name: 'state',
        label: LABELS.state,
        choices: Object.entries(STATES).map(([value, label]) => ({ value, label })),
      },
    ],
    list: async ({ filters: { state = '' }, limit, offset }, caller) => {
      const wanted = isState(state) ? state : undefined;
      const { rows, total } = await eoExports.list({ state: wanted, limit, offset });
      return { rows: rows.map((row) => ({ id: row.id, values: valuesOf(row, caller) })), total };
    },
    count: async () => (await eoExports.list({ limit: 0, offset: 0 })).total,
    find: async (id, caller) => {
      const row = await eoExports.byId(id);
      if (row === undefined) return undefined;
      const values = valuesOf(row, caller);
      return {
        title: `${row.workspace}:${row.layerName}`,
        texts: { state: row.state },
        facts: Object.entries(LABELS).map(([name, label]) => [label, values[name] ?? null] as const),
      };
    },
    actions: [
      {
        name: 'retry',
        label: localText('retryExport'),
        isBulk: true,
        isOffered: ({ texts }) => texts['state'] === 'failed',
        run: async (id) => {
          if ((await eoExports.retry(id, clock.now())) === undefined) throw absent('eoExport', { id });
          eoExporter?.wake();
          return {};
        },
      },
    ],
  };
}

function valuesOf(row: EoExport, caller: AdminCaller): Readonly<Record<string, AdminValue>> {
  const { workspace, layerName, state, accountId, assetPath, problem, eecuSeconds, createdAt } = row;
  return {
    layer: `${workspace}:${layerName}`,
    state: { text: textFor(caller, STATES[state]), tone: TONES[state] },
    account: { text: String(accountId), href: `/admin/eo-accounts/${accountId}/` },
    asset: assetPath,
    problem,
    eecu: eecuSeconds,
    created: moment(createdAt, caller),
  };
}
