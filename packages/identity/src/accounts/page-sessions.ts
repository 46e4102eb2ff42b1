import { type Clock, type Logger, SILENT } from '@headwater/core';
import { sha256 } from '@headwater/core/values';
import { newTokenId } from '../auth/tokens.ts';
import type { User } from '../ports/accounts.ts';
import type { Stores } from '../ports/stores.ts';
import { createSecurityLog } from './security-log.ts';

/** Lifetimes of browser sessions, ms: since the last use (`idleMs`) and since the sign-in (`mostMs`). */
export const PAGE_SESSION = {
  idleMs: 8 * 3_600_000,
  mostMs: 7 * 86_400_000,
} as const;

/** Minimum time between two writes of a session's expiry, ms. */
const WRITE_INTERVAL_MS = 5 * 60_000;

/** Browser sessions of the pages. */
export interface PageSessions {
  /** Opens a session and removes expired sessions. Give the id only to the user's browser. */
  open(user: User): Promise<string>;
  /** User of an open session, otherwise undefined. The call extends the session, unless the purpose is `watch`. */
  userOf(id: string, purpose?: 'use' | 'watch'): Promise<User | undefined>;
  /** Ends a session; ignores an unknown id. */
  end(id: string, remoteAddress?: string): Promise<void>;
}

/** Dependencies of browser sessions. */
export interface PageSessionDeps {
  readonly stores: Pick<Stores, 'pageSessions'>;
  readonly clock: Clock;
  /** Logger of security events. */
  readonly logger?: Logger;
}

/** Creates the sessions. Every look-up reads the store, so that all processes see the end of a session. */
export function createPageSessions({ stores, clock, logger = SILENT }: PageSessionDeps): PageSessions {
  const store = stores.pageSessions;
  const report = createSecurityLog(logger);
  return {
    open: async ({ id: userId, sessionVersion }) => {
      const nowMs = clock.now().getTime();
      const id = newTokenId() + newTokenId();
      await store.deleteExpired(isoOf(nowMs));
      const times = { createdAt: isoOf(nowMs), expiresAt: isoOf(nowMs + PAGE_SESSION.idleMs) };
      await store.add({ hash: await sha256(id), userId, sessionVersion, ...times });
      return id;
    },
    userOf: async (id, purpose = 'use') => {
      const hash = await sha256(id);
      const known = await store.find(hash);
      if (known === undefined) return undefined;
      const { session, user } = known;
      const nowMs = clock.now().getTime();
      const expiresMs = Date.parse(session.expiresAt);
      const isOpen = expiresMs > nowMs && user.isActive && user.sessionVersion === session.sessionVersion;
      if (!isOpen) return undefined;
      if (purpose === 'watch') return user;
      const untilMs = Math.min(nowMs + PAGE_SESSION.idleMs, Date.parse(session.createdAt) + PAGE_SESSION.mostMs);
      if (untilMs >= expiresMs + WRITE_INTERVAL_MS) await store.extend(hash, isoOf(untilMs));
      return user;
    },
    end: async (id, address) => {
      const hash = await sha256(id);
      const known = await store.find(hash);
      if (!(await store.remove(hash)) || known === undefined) return;
      report('sign_out', { userId: known.user.id, username: known.user.username, address });
    },
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
