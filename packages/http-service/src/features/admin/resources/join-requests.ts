import type { ListedRequest, Person } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import type { AdminAction, AdminCaller, AdminResource, AdminValue, LocalText } from '../../../seam/admin-resource.ts';
import { absent } from '../../../wire/absent.ts';
import { moment, numberOf, userLink } from './people-parts.ts';

type RequestPorts = Ports<'stores' | 'accounts'>;

const LABELS = {
  user: { en: 'User', hi: 'उपयोगकर्ता' },
  name: { en: 'Name', hi: 'नाम' },
  organization: { en: 'Organisation', hi: 'संस्था' },
  registered: { en: 'Registered', hi: 'पंजीकृत' },
} satisfies Record<string, LocalText>;

/** Requests of users to join an organisation, which a superuser accepts or declines. */
export function joinRequestResource({ stores, accounts }: RequestPorts): AdminResource {
  /** The person of a request; undefined if the request was answered meanwhile. */
  const personOf = async (id: string): Promise<Person | undefined> => {
    const userId = numberOf(id);
    const person = userId === undefined ? undefined : await stores.people.person(userId);
    return person?.requestedOrganization === null ? undefined : person;
  };
  const answer = async (id: string, caller: AdminCaller, isAccepted: boolean): Promise<object> => {
    const person = await personOf(id);
    if (person === undefined) throw absent('user', { id });
    const organization = isAccepted ? person.requestedOrganization : person.organization;
    const request = { userId: person.user.id, change: { organizationId: organization?.id ?? null } };
    await accounts.changePerson(caller.principal, request, caller.remoteAddress);
    return {};
  };
  const actions: readonly AdminAction[] = [
    {
      name: 'accept',
      label: { en: 'Accept', hi: 'स्वीकार करें' },
      isBulk: true,
      run: (id, caller) => answer(id, caller, true),
    },
    {
      name: 'decline',
      label: { en: 'Decline', hi: 'अस्वीकार करें' },
      isBulk: true,
      isDangerous: true,
      run: (id, caller) => answer(id, caller, false),
    },
  ];
  return {
    name: 'join-requests',
    title: { en: 'Requests to join', hi: 'जुड़ने के अनुरोध' },
    one: { en: 'request to join', hi: 'जुड़ने का अनुरोध' },
    section: 'people',
    lead: {
      en: 'Users who named an organisation when they registered. Its members may accept them too.',
      hi: 'उपयोगकर्ता, जिन्होंने पंजीकरण के समय संस्था बताई। संस्था के सदस्य भी उन्हें स्वीकार कर सकते हैं।',
    },
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label, isSortable: name === 'registered' })),
    search: { en: 'User or organisation', hi: 'उपयोगकर्ता या संस्था' },
    list: async ({ search, sort, limit, offset }, caller) => {
      const query = { search, limit, offset, isDescending: sort?.isDescending ?? false };
      const { rows, total } = await stores.directory.requests(query);
      return {
        rows: rows.map((request) => ({ id: String(request.userId), values: valuesOf(request, caller) })),
        total,
      };
    },
    count: async () => (await stores.directory.requests({ limit: 0, offset: 0 })).total,
    find: async (id, caller) => {
      const person = await personOf(id);
      const { requestedOrganization: organization } = person ?? {};
      if (person === undefined || organization === null || organization === undefined) return undefined;
      const { id: userId, ...user } = person.user;
      const wanted = { organizationId: organization.id, organizationName: organization.name };
      const values: Readonly<Record<string, AdminValue>> = {
        ...valuesOf({ ...user, userId, ...wanted }, caller),
        user: userLink({ ...user, userId }),
      };
      return {
        title: `${user.username}: ${organization.name}`,
        texts: {},
        facts: Object.entries(LABELS).map(([name, label]) => [label, values[name] ?? null] as const),
        consequences: [
          {
            en: 'The user stays without this organisation, and cannot ask again.',
            hi: 'उपयोगकर्ता इस संस्था के बिना रहेगा, और फिर अनुरोध नहीं कर सकेगा।',
          },
        ],
      };
    },
    actions,
  };
}

function valuesOf(request: ListedRequest, caller: AdminCaller): Readonly<Record<string, AdminValue>> {
  return {
    user: request.username,
    name: `${request.firstName} ${request.lastName}`.trim(),
    organization: { text: request.organizationName, href: `/admin/organizations/${request.organizationId}/` },
    registered: moment(request.createdAt, caller),
  };
}
