import type { EoAccount, EoAccountStore } from '@headwater/core';
import type { Sql } from '../database.ts';
import { isInt4, storable } from '../guards.ts';

const COLUMNS = 'id, name, account_email as "accountEmail", is_visible as "isVisible"';

const INSERT = `insert into headwater.eo_accounts (name, account_email, is_visible) values ($1, $2, $3) returning ${COLUMNS}`;

/** Earth-observation accounts over PostgreSQL. */
export function eoAccountStore(sql: Sql): EoAccountStore {
  return {
    create: async ({ name, accountEmail, isVisible }) => {
      const email = accountEmail === null ? null : storable('accountEmail', accountEmail);
      const created = await sql.first<EoAccount>(INSERT, [storable('name', name), email, isVisible]);
      if (created === undefined) throw new Error('insert returned no row');
      return created;
    },
    byId: async (id) =>
      isInt4(id)
        ? await sql.first<EoAccount>(`select ${COLUMNS} from headwater.eo_accounts where id = $1`, [id])
        : undefined,
    list: async () => await sql.rows<EoAccount>(`select ${COLUMNS} from headwater.eo_accounts order by id`),
  };
}
