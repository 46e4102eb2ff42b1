import { type AuditEntry, type AuditStore } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { DatabaseSync } from 'node:sqlite';

/** An audit log in a SQLite file. */
export function sqliteAudit(file: string): AuditStore & { readonly close: () => void } {
  const db = new DatabaseSync(file);
  db.exec(
    'create table if not exists audit (id integer primary key autoincrement, at text, resource text, row_id text, action text, entry text)',
  );
  const insert = db.prepare('insert into audit (at, resource, row_id, action, entry) values (?, ?, ?, ?, ?)');
  const all = db.prepare('select id, entry from audit order by id desc');
  const remove = db.prepare('delete from audit where at < ?');
  const read = (): readonly AuditEntry[] =>
    all.all().map(({ id, entry }) => ({ ...(JSON.parse(String(entry)) as AuditEntry), id: Number(id) }));
  return {
    append: async (entry) => {
      const { at, resource, rowId, action } = entry;
      const { lastInsertRowid } = insert.run(at, resource, rowId, action, JSON.stringify(entry));
      return { ...entry, id: Number(lastInsertRowid) };
    },
    byId: async (id) => read().find((entry) => entry.id === id),
    list: async ({ limit, offset, isAscending = false, search = '', ...wanted }) => {
      const text = search.toLowerCase();
      const found = read().filter(
        (entry) =>
          isWanted(entry, wanted) &&
          [entry.title, entry.rowId, entry.actorName].some((each) => each.toLowerCase().includes(text)),
      );
      const sorted = isAscending ? found.toReversed() : found;
      return { entries: sorted.slice(offset, offset + limit), total: found.length };
    },
    latest: async ({ limit, ...wanted }) =>
      read()
        .filter((entry) => isWanted(entry, wanted))
        .slice(0, limit),
    removeBefore: async (at) => Number(remove.run(at).changes),
    close: () => db.close(),
  };
}

function isWanted(entry: AuditEntry, wanted: Partial<Pick<AuditEntry, 'resource' | 'rowId' | 'action'>>): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => value === undefined || entry[name as keyof AuditEntry] === value,
  );
}

/** Stores in memory, with the audit log in a file. */
export function ownStores(file: string) {
  const audit = sqliteAudit(file);
  return { stores: { ...createMemoryStores(), audit }, close: audit.close };
}
