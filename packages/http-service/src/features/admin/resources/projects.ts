import { checkedName, GROUPS, type ListedProject, teamPartNotFound } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { localText } from '../../../pages/texts.ts';
import type { AdminAction, AdminField, AdminResource, AdminValue, LocalText } from '../../../seam/admin-resource.ts';
import {
  membersPart,
  namedUser,
  numberOf,
  organizationNamed,
  removeMemberAction,
  SHOWN_MEMBERS,
  USERNAME,
} from './people-parts.ts';

const LABELS = {
  name: localText('name'),
  organization: localText('organisation'),
  members: localText('members'),
} satisfies Record<string, LocalText>;

const NAME: AdminField = { name: 'name', label: LABELS.name, isRequired: true, most: 150 };

const ROLE: AdminField = {
  name: 'role',
  label: localText('role'),
  hint: localText('aMemberOfTheProject'),
  kind: 'select',
  isRequired: true,
  choices: GROUPS.map(({ id, name }) => ({ value: String(id), label: { en: name } })),
};

/** Projects with their members. */
export function projectResource(deps: Ports<'stores'>): AdminResource {
  const { stores } = deps;
  return {
    name: 'projects',
    title: localText('projects'),
    one: localText('adminProject'),
    section: 'people',
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label, isSortable: name === 'name' })),
    search: localText('nameOrOrganisation'),
    list: async ({ search, sort, limit, offset }) => {
      const order = sort === undefined ? 'id' : 'name';
      const query = { search, limit, offset, order, isDescending: sort?.isDescending ?? false } as const;
      const { rows, total } = await stores.directory.projects(query);
      return { rows: rows.map((project) => ({ id: String(project.id), values: valuesOf(project) })), total };
    },
    count: async () => (await stores.directory.projects({ limit: 0, offset: 0 })).total,
    find: async (id, caller) => {
      const project = await stores.teams.project(numberOf(id) ?? 0);
      if (project === undefined) return undefined;
      const { organizationId } = project;
      const [members, organization] = await Promise.all([
        stores.directory.members({ project: project.id }, { limit: SHOWN_MEMBERS }),
        organizationId === null ? undefined : stores.people.organization(organizationId),
      ]);
      const heads = { heading: LABELS.members, none: localText('noMembers') };
      const named = organizationLink({ organizationId, organizationName: organization?.name ?? null });
      return {
        title: project.name,
        texts: { name: project.name },
        facts: [[LABELS.organization, named]],
        parts: [membersPart(caller, { ...heads, ...members })],
        consequences: [
          localText('membersWhoLoseTheirRole', { total: members.total }),
          ...(organization === undefined ? [] : [localText('losesThisProject', { name: organization.name })]),
        ],
      };
    },
    fields: [NAME],
    change: async (id, { name = '' }) => {
      const known = await stores.teams.project(numberOf(id) ?? 0);
      const wanted = name === known?.name ? name : checkedName(name);
      if (known === undefined || (await stores.teams.renameProject(known.id, wanted)) === undefined)
        throw teamPartNotFound('project', numberOf(id) ?? 0);
    },
    add: {
      fields: [
        NAME,
        {
          name: 'organization',
          label: LABELS.organization,
          hint: localText('nameOfAnExistingOrganisation'),
          most: 150,
        },
      ],
      run: async ({ name = '', organization = '' }) => {
        const organizationId = await organizationNamed(deps, organization.trim());
        const { id } = await stores.teams.createProject({ name: checkedName(name), organizationId });
        return { id: String(id) };
      },
    },
    actions: [...memberActions(deps), removal(deps)],
  };
}

function valuesOf({ name, members, ...project }: ListedProject) {
  return { name, organization: organizationLink(project), members };
}

function organizationLink({
  organizationId,
  organizationName,
}: Pick<ListedProject, 'organizationId' | 'organizationName'>): AdminValue {
  if (organizationId === null || organizationName === null) return null;
  return { text: organizationName, href: `/admin/organizations/${organizationId}/` };
}

function memberActions(deps: Ports<'stores'>): readonly AdminAction[] {
  const { directory, teams } = deps.stores;
  return [
    {
      name: 'set-member',
      label: localText('addAMemberOrChange'),
      fields: [USERNAME, ROLE],
      run: async (id, _caller, texts) => {
        const { id: userId } = await namedUser(deps, texts);
        await teams.setMember(numberOf(id) ?? 0, { userId, groupId: numberOf(texts['role'] ?? '') ?? 0 });
        return {};
      },
    },
    removeMemberAction(deps, async ({ id: userId }, id) => {
      const project = numberOf(id) ?? 0;
      const [listed] = (await directory.members({ project }, { userId, limit: 1 })).rows;
      const memberId = listed?.member?.id;
      return memberId !== undefined && (await teams.removeMember(project, memberId));
    }),
  ];
}

function removal({ stores }: Ports<'stores'>): AdminAction {
  return {
    name: 'remove',
    label: localText('removeTheProject'),
    isDangerous: true,
    isBulk: true,
    run: async (id) => {
      if (!(await stores.teams.removeProject(numberOf(id) ?? 0))) throw teamPartNotFound('project', numberOf(id) ?? 0);
      return {};
    },
  };
}
