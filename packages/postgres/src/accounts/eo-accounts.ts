import type { EoAccount, EoAccountStore } from '@headwater/core';
import type { Sql } from '../database.ts';
import { isInt4, storable } from '../guards.ts';

const COLUMNS = 'id, name, account_email as "accountEmail", is_visible as "isVisible"';

const INSERT = `insert into headwater.eo_accounts (name, account_email, is_visible) values ($1, $2, $3) returning ${COLUMNS}`;

/** $3 says whether the e-mail changes, for it may be taken away. */
const CHANGE = `update headwater.eo_accounts set name = coalesce($2, name),
  account_email = case when $3::boolean then $4 else account_email end, is_visible = coalesce($5::boolean, is_visible)
  where id = $1 returning ${COLUMNS}`;

/** Earth-observation accounts over PostgreSQL. */
export function eoAccountStore(sql: Sql): EoAccountStore {
  return {
    create: async ({ name, accountEmail, isVisible }) => {
      const email = accountEmail === null ? null : storable('accountEmail', accountEmail);
      const created = await sql.first<EoAccount>(INSERT, [storable('name', name), email, isVisible]);
      if (created === undefined) throw new Error('insert returned no row');
      return created;
    },
    change: async (id, { name, accountEmail, isVisible }) => {
      if (!isInt4(id)) return undefined;
      return await sql.first<EoAccount>(CHANGE, [
        id,
        name === undefined ? null : storable('name', name),
        accountEmail !== undefined,
        typeof accountEmail === 'string' ? storable('accountEmail', accountEmail) : null,
        isVisible ?? null,
      ]);
    },
    byId: async (id) =>
      isInt4(id)
        ? await sql.first<EoAccount>(`select ${COLUMNS} from headwater.eo_accounts where id = $1`, [id])
        : undefined,
    list: async () => await sql.rows<EoAccount>(`select ${COLUMNS} from headwater.eo_accounts order by id`),
  };
}
