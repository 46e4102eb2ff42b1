import type { ClaimedExport, EoExport, EoExportChange, EoExportStore } from '@headwater/core/ports';
import type { Sql } from './database.ts';
import { iso } from './guards.ts';

const COLUMNS = `id, asset_key as "assetKey", workspace, layer_name as "layerName", account_id as "accountId",
  asset_path as "assetPath", source, operation, state, attempts, failures, ${iso('due_at')} as "dueAt", problem,
  eecu_seconds as "eecuSeconds", ${iso('created_at')} as "createdAt"`;

const IS_OPEN = `state in ('waiting', 'running')`;
const FREE_AT = 'greatest(due_at, lease_until)';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const CLAIM = `update headwater.eo_exports set lease_until = $2
  where id = (select id from headwater.eo_exports where ${IS_OPEN} and ${FREE_AT} <= $1 order by due_at, id limit 1 for update skip locked)
  returning ${COLUMNS}, ${iso('lease_until')} as "leaseUntil"`;

const CHANGED: Readonly<Record<keyof EoExportChange, string>> = {
  assetPath: 'asset_path',
  source: 'source',
  operation: 'operation',
  state: 'state',
  attempts: 'attempts',
  failures: 'failures',
  dueAt: 'due_at',
  problem: 'problem',
  eecuSeconds: 'eecu_seconds',
};

const isChanged = (name: string): name is keyof EoExportChange => Object.hasOwn(CHANGED, name);

/** Exports to platforms, and their queue, in PostgreSQL. */
export function eoExportStore(sql: Sql): EoExportStore {
  return {
    add: async ({ id, assetKey, workspace, layerName, accountId, createdAt }) =>
      (await sql.first(
        `insert into headwater.eo_exports (id, asset_key, workspace, layer_name, account_id, state, attempts, failures, due_at, created_at)
           values ($1, $2, $3, $4, $5, 'waiting', 0, 0, $6, $6) on conflict do nothing returning id`,
        [id, assetKey, workspace, layerName, accountId, createdAt],
      )) !== undefined,
    claim: async (now, leaseMs) =>
      await sql.first<ClaimedExport>(CLAIM, [now.toISOString(), new Date(now.getTime() + leaseMs).toISOString()]),
    save: async ({ id, leaseUntil }, change, options = {}) => {
      const members = Object.entries(change).filter(([name, value]) => isChanged(name) && value !== undefined);
      const sets = members.map(([name], index) => (isChanged(name) ? `${CHANGED[name]} = $${index + 4}` : ''));
      const values = members.map(([, value]) => value);
      return (
        (await sql.first(
          `update headwater.eo_exports set ${[...sets, 'lease_until = $3::timestamptz'].join(', ')}
             where id = $1 and lease_until = $2 returning id`,
          [id, leaseUntil, options.leaseUntil ?? null, ...values],
        )) !== undefined
      );
    },
    retry: async (id, now) =>
      UUID.test(id)
        ? await sql.first<EoExport>(
            `update headwater.eo_exports set state = 'waiting', source = null, operation = null, failures = 0, due_at = $2
               where id = $1 and state = 'failed' returning ${COLUMNS}`,
            [id, now.toISOString()],
          )
        : undefined,
    byId: async (id) =>
      UUID.test(id)
        ? await sql.first<EoExport>(`select ${COLUMNS} from headwater.eo_exports where id = $1`, [id])
        : undefined,
    ofFiles: async (keys) =>
      await sql.rows<EoExport>(`select ${COLUMNS} from headwater.eo_exports where asset_key = any($1::text[])`, [keys]),
    openOf: async ({ workspace, layerName }) =>
      await sql.rows<EoExport>(
        `select ${COLUMNS} from headwater.eo_exports where ${IS_OPEN} and workspace = $1 and layer_name = $2`,
        [workspace, layerName],
      ),
    list: async ({ state, limit, offset }) => {
      const rows = await sql.rows<EoExport>(
        `select ${COLUMNS} from headwater.eo_exports where state = coalesce($1, state)
           order by created_at desc, id desc limit $2 offset $3`,
        [state ?? null, limit, offset],
      );
      const counted = await sql.first<{ readonly total: number }>(
        'select count(*)::integer as total from headwater.eo_exports where state = coalesce($1, state)',
        [state ?? null],
      );
      return { rows, total: counted?.total ?? 0 };
    },
    nextDue: async () => {
      const found = await sql.first<{ readonly at: string | null }>(
        `select ${iso(`min(${FREE_AT})`)} as at from headwater.eo_exports where ${IS_OPEN}`,
        [],
      );
      return found?.at ?? null;
    },
  };
}
