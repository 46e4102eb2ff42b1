import { type KeyOrder, type KeyState, type ListedKey, maskedText } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { localText } from '../../../pages/texts.ts';
import type {
  AdminAction,
  AdminCaller,
  AdminQuery,
  AdminResource,
  AdminValue,
  LocalText,
} from '../../../seam/admin-resource.ts';
import { textFor } from '../page/admin-parts.ts';
import { absent } from '../../../wire/absent.ts';
import { moment, userLink } from './people-parts.ts';

type KeyPorts = Ports<'stores' | 'apiKeys' | 'clock'>;

const LABELS = {
  prefix: localText('key'),
  owner: localText('owner'),
  name: localText('name'),
  state: localText('state'),
  created: localText('adminCreated'),
  expires: localText('expires'),
  lastUsed: localText('lastUsed'),
  today: localText('usesTodayUtc'),
  sinceYesterday: localText('usesSinceYesterday'),
  month: localText('usesIn30Days'),
} satisfies Record<string, LocalText>;

const STATES: Readonly<Record<KeyState, LocalText>> = {
  active: localText('active'),
  expired: localText('adminExpired'),
  ended: localText('revoked'),
};
const ACCOUNT_DISABLED: LocalText = localText('accountDisabled');

const ORDERS: Readonly<Record<string, KeyOrder>> = {
  owner: 'username',
  name: 'name',
  created: 'id',
  expires: 'expiresAt',
  lastUsed: 'lastUsedAt',
};

/** API keys of all users. The secret of a key cannot be read. */
export function apiKeyResource({ stores, apiKeys, clock }: KeyPorts): AdminResource {
  const now = (): string => clock.now().toISOString();
  const keyOf = async (prefix: string): Promise<ListedKey | undefined> =>
    (await stores.directory.keys({ prefix, now: now(), limit: 1, offset: 0 })).rows[0];
  const revoke: AdminAction = {
    name: 'revoke',
    label: localText('revoke'),
    isDangerous: true,
    isBulk: true,
    isOffered: ({ texts }) => texts['state'] !== 'ended',
    run: async (id, { principal }) => {
      const key = await keyOf(id);
      if (key === undefined) throw absent('apiKey', {});
      await apiKeys.deactivate(principal, { userId: key.userId, text: maskedText(key.prefix) });
      return {};
    },
  };
  return {
    name: 'api-keys',
    title: localText('apiKeys'),
    one: localText('apiKey'),
    section: 'people',
    lead: localText('keysWithWhichProgramsCall'),
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label, isSortable: name in ORDERS })),
    filters: [
      {
        name: 'state',
        label: LABELS.state,
        choices: Object.entries(STATES).map(([value, label]) => ({ value, label })),
      },
    ],
    search: localText('ownerKeyOrName'),
    list: async (query, caller) => {
      const { rows, total } = await stores.directory.keys({ ...queryOf(query), now: now() });
      return { rows: rows.map((key) => ({ id: key.prefix, values: valuesOf(key, now(), caller) })), total };
    },
    count: async () => (await stores.directory.keys({ now: now(), limit: 0, offset: 0 })).total,
    find: async (id, caller) => {
      const key = await keyOf(id);
      if (key === undefined) return undefined;
      const values = valuesOf(key, now(), caller);
      return {
        title: `${key.username}: ${key.prefix}`,
        texts: { state: stateOf(key, now()) },
        facts: Object.entries(LABELS).map(([name, label]) => [label, values[name] ?? null] as const),
        consequences: consequencesOf(key),
      };
    },
    actions: [revoke],
  };
}

function queryOf({ search, filters, sort, limit, offset }: AdminQuery) {
  const state = Object.keys(STATES).find((each): each is KeyState => each === filters['state']);
  const order = sort === undefined ? 'id' : (ORDERS[sort.column] ?? 'id');
  return { search, state, order, isDescending: sort?.isDescending ?? true, limit, offset };
}

function stateOf({ isActive, expiresAt }: ListedKey, now: string): KeyState {
  if (!isActive) return 'ended';
  return expiresAt > now ? 'active' : 'expired';
}

function valuesOf(key: ListedKey, now: string, caller: AdminCaller): Readonly<Record<string, AdminValue>> {
  const state = stateOf(key, now);
  const isUsable = state === 'active' && key.ownerIsActive;
  const text = textFor(caller, state === 'active' && !key.ownerIsActive ? ACCOUNT_DISABLED : STATES[state]);
  return {
    prefix: key.prefix,
    owner: userLink(key),
    name: key.name,
    state: { text, tone: isUsable ? 'ok' : 'off' },
    created: moment(key.createdAt, caller),
    expires: moment(key.expiresAt, caller),
    lastUsed: moment(key.lastUsedAt, caller),
    today: key.usesToday,
    sinceYesterday: key.usesSinceYesterday,
    month: key.usesInMonth,
  };
}

function consequencesOf({ usesInMonth }: ListedKey): readonly LocalText[] {
  return [
    localText('requestsWithThisKeyAre'),
    ...(usesInMonth === 0 ? [] : [localText('usesInTheLast30', { usesInMonth })]),
  ];
}
