import { copy } from '@headwater/core/memory';
import type { AuditEntry, AuditStore, AuditWish } from '../ports/audit.ts';

/** Audit log in memory. */
export function memoryAudit(): AuditStore {
  let entries: readonly AuditEntry[] = [];
  let lastId = 0;
  return {
    append: async (entry) => {
      const stored = copy({ ...entry, id: (lastId += 1) });
      entries = [stored, ...entries];
      return copy(stored);
    },
    byId: async (id) => copy(entries.find((entry) => entry.id === id)),
    list: async ({ limit, offset, isAscending = false, ...wish }) => {
      const matching = entries.filter((entry) => matches(entry, wish));
      if (isAscending) matching.reverse();
      return { entries: copy(matching.slice(offset, offset + limit)), total: matching.length };
    },
    latest: async ({ limit, ...wish }) => copy(entries.filter((entry) => matches(entry, wish)).slice(0, limit)),
    removeBefore: async (at) => {
      const left = entries.filter((entry) => Date.parse(entry.at) >= Date.parse(at));
      const removed = entries.length - left.length;
      entries = left;
      return removed;
    },
  };
}

function matches(entry: AuditEntry, { search = '', ...wanted }: Omit<AuditWish, 'limit' | 'offset'>): boolean {
  const { title, rowId, actorName } = entry;
  const isFound = [title, rowId, actorName].some((text) => text.toLowerCase().includes(search.toLowerCase()));
  const names = ['resource', 'rowId', 'action'] as const;
  return isFound && names.every((name) => wanted[name] === undefined || wanted[name] === entry[name]);
}
