import { isStorable } from '@headwater/core/values';
import type { AuditEntry, AuditStore, AuditWish } from '@headwater/identity';
import type { Database } from '../database.ts';
import { int4, iso, isInt4, storable } from '../guards.ts';

const COLUMNS = `id, ${iso('at')} as at, actor_id as "actorId", actor_name as "actorName", action, resource, row_id as "rowId",
  title, changes, address`;

const APPEND = `insert into headwater.audit_entries (at, actor_id, actor_name, action, resource, row_id, title, changes, address)
  values ($1::timestamptz, $2, $3, $4, $5, $6, $7, $8::json, $9) returning ${COLUMNS}`;

/** Condition for the listed entries. Each parameter $1 to $4 has no effect if null. */
const WHERE = `($1::text is null or resource = $1) and ($2::text is null or row_id = $2) and ($3::text is null or action = $3)
  and ($4::text is null or strpos(lower(title), $4) > 0 or strpos(lower(row_id), $4) > 0 or strpos(lower(actor_name), $4) > 0)`;

const LIST = (order: 'id' | 'id desc'): string =>
  `select ${COLUMNS} from headwater.audit_entries where ${WHERE} order by ${order} limit $5::int offset $6::int`;

const COUNT = `select count(*)::int as count from headwater.audit_entries where ${WHERE}`;

/** The audit log in PostgreSQL. */
export function auditStore(database: Database): AuditStore {
  return {
    append: async (entry) => {
      const { at, actorId, actorName, action, resource, rowId, title, changes, address } = entry;
      const names = Object.entries({ actorName, action, resource, rowId, title });
      const texts = names.map(([name, text]) => storable(name, text));
      const values = [at, int4('actorId', actorId), ...texts, storable('changes', JSON.stringify(changes)), address];
      const stored = await database.first<AuditEntry>(APPEND, values);
      if (stored === undefined) throw new Error('insert returned no row');
      return stored;
    },
    byId: async (id) =>
      isInt4(id)
        ? await database.first<AuditEntry>(`select ${COLUMNS} from headwater.audit_entries where id = $1`, [id])
        : undefined,
    list: async ({ limit, offset, isAscending = false, ...wish }) => {
      const narrowing = narrowingOf(wish);
      if (narrowing === undefined) return { entries: [], total: 0 };
      const [entries, counted] = await Promise.all([
        database.rows<AuditEntry>(LIST(isAscending ? 'id' : 'id desc'), [...narrowing, limit, offset]),
        database.first<{ count: number }>(COUNT, narrowing),
      ]);
      return { entries, total: counted?.count ?? 0 };
    },
    latest: async ({ limit, ...wish }) => {
      const narrowing = narrowingOf(wish);
      return narrowing === undefined ? [] : await database.rows<AuditEntry>(LIST('id desc'), [...narrowing, limit, 0]);
    },
    removeBefore: async (at) =>
      await database.run('delete from headwater.audit_entries where at < $1::timestamptz', [at]),
  };
}

/** Values of `WHERE`; undefined if a value is a text that no entry can have. */
function narrowingOf(wish: Omit<AuditWish, 'limit' | 'offset'>): readonly (string | null)[] | undefined {
  const narrowing = [wish.resource, wish.rowId, wish.action, searched(wish)].map((text) => text ?? null);
  return narrowing.some((text) => text !== null && !isStorable(text)) ? undefined : narrowing;
}

function searched({ search }: Pick<AuditWish, 'search'>): string | undefined {
  return search === '' ? undefined : search?.toLowerCase();
}
