import type { EoAccount, EoAccountStore } from '@headwater/core';
import type { Sql } from '../database.ts';
import { iso, isInt4, storable } from '../guards.ts';

const COLUMNS = `id, name, account_email as "accountEmail", service_account_email as "serviceAccountEmail", platform,
  is_visible as "isVisible", is_active as "isActive", visible_to as "visibleTo", owner_id as "ownerId",
  organization_id as "organizationId", sealed_key is not null as "hasKey", ${iso('exhausted_until')} as "exhaustedUntil"`;

const INSERT = `insert into headwater.eo_accounts (name, account_email, is_visible, service_account_email, platform, is_active,
    visible_to, owner_id, organization_id, exhausted_until)
  values ($1, $2, $3, $4, coalesce($5, 'local'), coalesce($6::boolean, true), coalesce($7, 'all'), $8, $9, $10) returning ${COLUMNS}`;

/** Changes an account. If $3, $6, $11, $13 or $15 is true, the next parameter is stored; null removes the value. */
const CHANGE = `update headwater.eo_accounts set name = coalesce($2, name),
  account_email = case when $3::boolean then $4 else account_email end, is_visible = coalesce($5::boolean, is_visible),
  service_account_email = case when $6::boolean then $7 else service_account_email end, platform = coalesce($8, platform),
  is_active = coalesce($9::boolean, is_active), visible_to = coalesce($10, visible_to),
  owner_id = case when $11::boolean then $12 else owner_id end,
  organization_id = case when $13::boolean then $14 else organization_id end,
  exhausted_until = case when $15::boolean then $16::timestamptz else exhausted_until end
  where id = $1 returning ${COLUMNS}`;

const stored = (field: string, text: string | null | undefined): string | null =>
  typeof text === 'string' ? storable(field, text) : null;

/** Two parameters of `CHANGE`: true for a defined text, and the text. An undefined text stays unchanged. */
const changed = (field: string, text: string | null | undefined) => [text !== undefined, stored(field, text)] as const;

/** Earth-observation accounts in PostgreSQL. */
export function eoAccountStore(sql: Sql): EoAccountStore {
  return {
    create: async ({ name, accountEmail, isVisible, ...others }) => {
      const created = await sql.first<EoAccount>(INSERT, [
        storable('name', name),
        stored('accountEmail', accountEmail),
        isVisible,
        stored('serviceAccountEmail', others.serviceAccountEmail),
        others.platform ?? null,
        others.isActive ?? null,
        others.visibleTo ?? null,
        others.ownerId ?? null,
        stored('organizationId', others.organizationId),
        others.exhaustedUntil ?? null,
      ]);
      if (created === undefined) throw new Error('insert returned no row');
      return created;
    },
    change: async (id, { name, accountEmail, isVisible, serviceAccountEmail, ...others }) => {
      if (!isInt4(id)) return undefined;
      const { platform, isActive, visibleTo, ownerId, organizationId, exhaustedUntil } = others;
      return await sql.first<EoAccount>(CHANGE, [
        id,
        stored('name', name),
        ...changed('accountEmail', accountEmail),
        isVisible ?? null,
        ...changed('serviceAccountEmail', serviceAccountEmail),
        platform ?? null,
        isActive ?? null,
        visibleTo ?? null,
        ownerId !== undefined,
        ownerId ?? null,
        ...changed('organizationId', organizationId),
        ...changed('exhaustedUntil', exhaustedUntil),
      ]);
    },
    byId: async (id) =>
      isInt4(id)
        ? await sql.first<EoAccount>(`select ${COLUMNS} from headwater.eo_accounts where id = $1`, [id])
        : undefined,
    list: async () => await sql.rows<EoAccount>(`select ${COLUMNS} from headwater.eo_accounts order by id`),
    remove: async (id) =>
      isInt4(id) &&
      (await sql.first('delete from headwater.eo_accounts where id = $1 returning id', [id])) !== undefined,
    sealedKey: async (id) => {
      if (!isInt4(id)) return null;
      const found = await sql.first<{ readonly key: string | null }>(
        'select sealed_key as key from headwater.eo_accounts where id = $1',
        [id],
      );
      return found?.key ?? null;
    },
    setSealedKey: async (id, sealed) =>
      isInt4(id) &&
      (await sql.first('update headwater.eo_accounts set sealed_key = $2 where id = $1 returning id', [
        id,
        stored('sealedKey', sealed),
      ])) !== undefined,
  };
}
