import type { KnownPageSession, ListedSession } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import type { AdminAction, AdminCaller, AdminResource, AdminValue, LocalText } from '../../../seam/admin-resource.ts';
import { moment, userLink } from './people-parts.ts';

const LABELS = {
  session: { en: 'Session', hi: 'सत्र' },
  user: { en: 'User', hi: 'उपयोगकर्ता' },
  started: { en: 'Signed in', hi: 'साइन इन' },
  ends: { en: 'Ends without use', hi: 'उपयोग के बिना समाप्ति' },
} satisfies Record<string, LocalText>;

/** Open browser sessions of all users, which a superuser can end. */
export function sessionResource({ stores, clock }: Ports<'stores' | 'clock'>): AdminResource {
  const now = (): string => clock.now().toISOString();
  const end: AdminAction = {
    name: 'end',
    label: { en: 'End the session', hi: 'सत्र समाप्त करें' },
    isDangerous: true,
    isBulk: true,
    run: async (hash) => {
      // Another person may have ended it meanwhile, which has the same result.
      await stores.pageSessions.remove(hash);
      return {};
    },
  };
  return {
    name: 'sessions',
    title: { en: 'Browser sessions', hi: 'ब्राउज़र सत्र' },
    one: { en: 'browser session', hi: 'ब्राउज़र सत्र' },
    section: 'people',
    lead: {
      en: 'Users who are signed in to the pages, newest first. To end the tokens of programs too, disable the user or set a new password.',
      hi: 'पृष्ठों पर साइन इन उपयोगकर्ता, नए पहले। प्रोग्रामों के टोकन भी समाप्त करने के लिए उपयोगकर्ता को निष्क्रिय करें या नया पासवर्ड दें।',
    },
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label, isSortable: name === 'started' })),
    search: { en: 'User name', hi: 'उपयोगकर्ता नाम' },
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
        consequences: [
          {
            en: 'The user has to sign in again in this browser. Texts of open forms are lost.',
            hi: 'उपयोगकर्ता को इस ब्राउज़र में फिर साइन इन करना होगा। खुले फ़ॉर्मों का पाठ खो जाएगा।',
          },
        ],
      };
    },
    actions: [end],
  };
}

function isOpen({ session, user }: KnownPageSession, now: string): boolean {
  return session.expiresAt > now && user.isActive && user.sessionVersion === session.sessionVersion;
}

/** First letters of the stored hash, by which people recognise a session. */
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
