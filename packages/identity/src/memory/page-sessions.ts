import { DomainError } from '@headwater/core';
import { copy } from '@headwater/core/memory';
import type { User } from '../ports/accounts.ts';
import type { PageSession, PageSessionStore } from '../ports/page-sessions.ts';

/** Browser sessions in memory; `users` holds their users, and `sessions` the sessions by their hash. */
export function memoryPageSessions(
  users: ReadonlyMap<number, User>,
  sessions: Map<string, PageSession>,
): PageSessionStore {
  return {
    add: async (session) => {
      if (!users.has(session.userId)) throw new DomainError('user_not_found', `No user has the id ${session.userId}.`);
      sessions.set(session.hash, copy(session));
    },
    find: async (hash) => {
      const session = sessions.get(hash);
      const user = session === undefined ? undefined : users.get(session.userId);
      return session === undefined || user === undefined ? undefined : copy({ session, user });
    },
    extend: async (hash, expiresAt) => {
      const session = sessions.get(hash);
      if (session !== undefined) sessions.set(hash, { ...session, expiresAt });
    },
    remove: async (hash) => sessions.delete(hash),
    deleteExpired: async (now) => {
      const over = [...sessions.values()].filter(({ expiresAt }) => Date.parse(expiresAt) <= Date.parse(now));
      for (const { hash } of over) sessions.delete(hash);
      return over.length;
    },
  };
}
