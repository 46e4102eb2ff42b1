import { checkedName, type ListedOrganization, type ListedProject, type User } from '@headwater/identity';
import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import type { Html } from '../../../pages/layout.ts';
import { localText } from '../../../pages/texts.ts';
import type {
  AdminAction,
  AdminCaller,
  AdminDetail,
  AdminField,
  AdminResource,
  LocalText,
} from '../../../seam/admin-resource.ts';
import { adminHref, textFor } from '../page/admin-parts.ts';
import { absent } from '../../../wire/absent.ts';
import { membersPart, namedUser, removeMemberAction, SHOWN_MEMBERS, USERNAME } from './people-parts.ts';

type OrganizationPorts = Ports<'stores' | 'accounts'>;

const LABELS = {
  name: localText('name'),
  is_listed: localText('listed'),
  members: localText('members'),
  requests: localText('requestsToJoin'),
  projects: localText('projects'),
} satisfies Record<string, LocalText>;

const NAME: AdminField = { name: 'name', label: LABELS.name, isRequired: true, most: 150 };
const IS_LISTED: AdminField = {
  name: 'is_listed',
  label: LABELS.is_listed,
  kind: 'checkbox',
  initial: 'on',
  hint: localText('newUsersCanChooseIt'),
};

/** Organisations with their members, projects and requests to join. */
export function organizationResource(deps: OrganizationPorts): AdminResource {
  const { stores } = deps;
  return {
    name: 'organizations',
    title: localText('organisations'),
    one: localText('adminOrganisation'),
    section: 'people',
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label, isSortable: name === 'name' })),
    filters: [
      {
        name: 'is_listed',
        label: LABELS.is_listed,
        choices: [
          { value: 'yes', label: localText('listed') },
          { value: 'no', label: localText('notListed') },
        ],
      },
      {
        name: 'requests',
        label: LABELS.requests,
        choices: [{ value: 'waiting', label: localText('waiting') }],
      },
    ],
    search: localText('name'),
    list: async ({ search, filters, sort, limit, offset }) => {
      const { is_listed: wanted, requests } = filters;
      const isListed = wanted === undefined ? undefined : wanted === 'yes';
      const query = { search, limit, offset, isListed, hasRequests: requests === 'waiting' };
      const isDescending = sort?.isDescending ?? false;
      const { rows, total } = await stores.directory.organizations({ ...query, isDescending });
      return { rows: rows.map(({ id, ...values }) => ({ id, values: shownValues(values) })), total };
    },
    count: async () => (await stores.directory.organizations({ limit: 0, offset: 0 })).total,
    find: (id, caller) => detailOf(deps, id, caller),
    fields: [NAME, IS_LISTED],
    add: {
      fields: [NAME, IS_LISTED],
      run: async ({ name = '', is_listed: isListed }) => {
        const { id } = await stores.people.addOrganization(checkedName(name), isListed === 'on');
        return { id };
      },
    },
    change: async (id, { name = '', is_listed: isListed }) => {
      const known = await stores.people.organization(id);
      const wanted = { name: name === known?.name ? name : checkedName(name), isListed: isListed === 'on' };
      if ((await stores.people.changeOrganization(id, wanted)) === undefined) throw absent('organization', {});
    },
    actions: [...listingActions(deps), ...memberActions(deps), removal(deps)],
  };
}

function shownValues({ name, isListed, members, requests, projects }: Omit<ListedOrganization, 'id'>) {
  const waiting = { text: String(requests), href: `/admin/join-requests/?q=${encodeURIComponent(name)}` };
  return { name, is_listed: isListed, members, requests: requests === 0 ? 0 : waiting, projects };
}

async function detailOf(
  { stores }: OrganizationPorts,
  id: string,
  caller: AdminCaller,
): Promise<AdminDetail | undefined> {
  const known = await stores.people.organization(id);
  if (known === undefined) return undefined;
  const { directory } = stores;
  const part = { limit: SHOWN_MEMBERS };
  const [members, requests, projects] = await Promise.all([
    directory.members({ organization: id }, part),
    directory.members({ requests: id }, part),
    directory.projects({ organizationId: id, limit: SHOWN_MEMBERS, offset: 0 }),
  ]);
  const names = namesOf(projects.rows);
  const heads = {
    requests: { heading: LABELS.requests, none: localText('noRequestsToJoin') },
    members: { heading: LABELS.members, none: localText('noMembers') },
  };
  return {
    title: known.name,
    texts: { name: known.name, is_listed: known.isListed ? 'on' : '' },
    parts: [
      membersPart(caller, { ...heads.requests, ...requests, resource: 'join-requests' }),
      membersPart(caller, { ...heads.members, ...members }),
      projectsPart(caller, projects.rows),
    ],
    consequences: [
      ...countOf(members.total, localText('membersWhoLoseTheirOrganisation')),
      ...countOf(requests.total, localText('requestsToJoinThatEnd')),
      ...countOf(projects.total, localText('projectsThatRemainWithoutAn', { names })),
    ],
  };
}

function countOf(total: number, of: LocalText): readonly LocalText[] {
  return total === 0 ? [] : [localText('numberOf', { of, total })];
}

function namesOf(projects: readonly ListedProject[]): string {
  const MOST = 10;
  const names = projects.slice(0, MOST).map(({ name }) => name);
  return [...names, ...(projects.length > MOST ? ['…'] : [])].join(', ');
}

function projectsPart(caller: AdminCaller, projects: readonly ListedProject[]): Html {
  const title = textFor(caller, LABELS.projects);
  if (projects.length === 0) return html``;
  return html`<h2>${title}</h2>
    <ul>
      ${projects.map(({ id, name }) => html`<li><a href="${adminHref(caller, 'projects', String(id))}">${name}</a></li> `)}
    </ul>`;
}

function listingActions({ stores }: OrganizationPorts): readonly AdminAction[] {
  const setListed = async (id: string, isListed: boolean): Promise<object> => {
    if ((await stores.people.listOrganization(id, isListed)) === undefined) throw absent('organization', {});
    return {};
  };
  return [
    {
      name: 'list',
      label: localText('listOnTheRegistrationPage'),
      isBulk: true,
      isOffered: ({ texts }) => texts['is_listed'] !== 'on',
      run: (id) => setListed(id, true),
    },
    {
      name: 'unlist',
      label: localText('stopListing'),
      isBulk: true,
      isOffered: ({ texts }) => texts['is_listed'] === 'on',
      run: (id) => setListed(id, false),
    },
  ];
}

function memberActions(deps: OrganizationPorts): readonly AdminAction[] {
  const { accounts, stores } = deps;
  const move = async (user: User, organizationId: string | null, caller: AdminCaller): Promise<object> => {
    const request = { userId: user.id, change: { organizationId } };
    await accounts.changePerson(caller.principal, request, caller.remoteAddress);
    return {};
  };
  return [
    {
      name: 'add-member',
      label: localText('addAMember'),
      fields: [
        {
          ...USERNAME,
          hint: localText('aMemberOfAnotherOrganisation'),
        },
      ],
      run: async (id, caller, texts) => await move(await namedUser(deps, texts), id.toLowerCase(), caller),
    },
    removeMemberAction(deps, async (user, id, caller) => {
      const person = await stores.people.person(user.id);
      const isMember = person?.organization?.id === id.toLowerCase();
      if (isMember) await move(user, null, caller);
      return isMember;
    }),
  ];
}

function removal({ stores }: OrganizationPorts): AdminAction {
  return {
    name: 'remove',
    label: localText('removeTheOrganisation'),
    isDangerous: true,
    isBulk: true,
    run: async (id) => {
      if (!(await stores.people.removeOrganization(id))) throw absent('organization', {});
      return {};
    },
  };
}
