import type { KnownPageSession, ListedSession } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { localText } from '../../../pages/texts.ts';
import type { AdminAction, AdminCaller, AdminResource, AdminValue, LocalText } from '../../../seam/admin-resource.ts';
import { moment, userLink } from './people-parts.ts';

const LABELS = {
  session: localText('session'),
  user: localText('adminUser'),
  started: localText('signedIn'),
  ends: localText('endsWithoutUse'),
} satisfies Record<string, LocalText>;

/** Open browser sessions of all users, which a superuser can end. */
export function sessionResource({ stores, clock }: Ports<'stores' | 'clock'>): AdminResource {
  const now = (): string => clock.now().toISOString();
  const end: AdminAction = {
    name: 'end',
    label: localText('endTheSession'),
    isDangerous: true,
    isBulk: true,
    run: async (hash) => {
      await stores.pageSessions.remove(hash);
      return {};
    },
  };
  return {
    name: 'sessions',
    title: localText('browserSessions'),
    one: localText('browserSession'),
    section: 'people',
    lead: localText('usersWhoAreSignedIn'),
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label, isSortable: name === 'started' })),
    search: localText('userName'),
    list: async ({ search, sort, limit, offset }, caller) => {
      const query = { search, limit, offset, isDescending: sort?.isDescending === false, now: now() };
      const { rows, total } = await stores.directory.sessions(query);
      return { rows: rows.map((session) => ({ id: session.hash, values: valuesOf(session, caller) })), total };
    },
    count: async () => (await stores.directory.sessions({ now: now(), limit: 0, offset: 0 })).total,
    find: async (hash, caller) => {
      const known = await stores.pageSessions.find(hash);
      if (known === undefined || !isOpen(known, now())) return undefined;
      const { session, user } = known;
      const values = valuesOf({ ...session, username: user.username }, caller);
      return {
        title: `${user.username}: ${shortened(hash)}`,
        texts: {},
        facts: Object.entries(LABELS).map(([name, label]) => [label, values[name] ?? null] as const),
        consequences: [localText('theUserHasToSign')],
      };
    },
    actions: [end],
  };
}

function isOpen({ session, user }: KnownPageSession, now: string): boolean {
  return session.expiresAt > now && user.isActive && user.sessionVersion === session.sessionVersion;
}

function shortened(hash: string): string {
  return hash.slice(0, 10);
}

function valuesOf(session: ListedSession, caller: AdminCaller): Readonly<Record<string, AdminValue>> {
  return {
    session: shortened(session.hash),
    user: userLink(session),
    started: moment(session.createdAt, caller),
    ends: moment(session.expiresAt, caller),
  };
}
