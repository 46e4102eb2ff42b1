import { invalidField } from '@headwater/core';
import { checkedName, GROUPS, type ListedProject, teamPartNotFound } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import type { AdminAction, AdminField, AdminResource, AdminValue, LocalText } from '../../../seam/admin-resource.ts';
import { membersPart, namedUser, numberOf, removeMemberAction, SHOWN_MEMBERS, USERNAME } from './people-parts.ts';

const LABELS = {
  name: { en: 'Name', hi: 'नाम' },
  organization: { en: 'Organisation', hi: 'संस्था' },
  members: { en: 'Members', hi: 'सदस्य' },
} satisfies Record<string, LocalText>;

const NAME: AdminField = { name: 'name', label: LABELS.name, isRequired: true, most: 150 };

const ROLE: AdminField = {
  name: 'role',
  label: { en: 'Role', hi: 'भूमिका' },
  hint: {
    en: 'A member of the project gets this role instead of the present one.',
    hi: 'परियोजना के सदस्य को मौजूदा भूमिका की जगह यह भूमिका मिलती है।',
  },
  kind: 'select',
  isRequired: true,
  choices: GROUPS.map(({ id, name }) => ({ value: String(id), label: { en: name } })),
};

/** Projects with their members. */
export function projectResource(deps: Ports<'stores'>): AdminResource {
  const { stores } = deps;
  return {
    name: 'projects',
    title: { en: 'Projects', hi: 'परियोजनाएँ' },
    one: { en: 'project', hi: 'परियोजना' },
    section: 'people',
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label, isSortable: name === 'name' })),
    search: { en: 'Name or organisation', hi: 'नाम या संस्था' },
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
      const heads = { heading: LABELS.members, none: { en: 'No members.', hi: 'कोई सदस्य नहीं।' } };
      const named = organizationLink({ organizationId, organizationName: organization?.name ?? null });
      return {
        title: project.name,
        texts: { name: project.name },
        facts: [[LABELS.organization, named]],
        parts: [membersPart(caller, { ...heads, ...members })],
        consequences: [
          {
            en: `Members who lose their role in it: ${members.total}. Their accounts stay.`,
            hi: `सदस्य, जिनकी इसमें भूमिका नहीं रहेगी: ${members.total}। उनके खाते बने रहते हैं।`,
          },
          ...(organization === undefined
            ? []
            : [
                {
                  en: `${organization.name} loses this project.`,
                  hi: `${organization.name} के पास यह परियोजना नहीं रहेगी।`,
                },
              ]),
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
          hint: {
            en: 'Name of an existing organisation; empty for none.',
            hi: 'किसी मौजूदा संस्था का नाम; कोई नहीं हो तो खाली छोड़ें।',
          },
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

/** Id of the organisation with this name; null for ''. */
async function organizationNamed({ stores }: Ports<'stores'>, name: string): Promise<string | null> {
  if (name === '') return null;
  const [known] = (await stores.directory.organizations({ name, limit: 1, offset: 0 })).rows;
  if (known !== undefined) return known.id;
  throw invalidField('organization', 'is the name of no organisation; add it first, or leave this empty.');
}

function memberActions(deps: Ports<'stores'>): readonly AdminAction[] {
  const { directory, teams } = deps.stores;
  return [
    {
      name: 'set-member',
      label: { en: 'Add a member or change a role', hi: 'सदस्य जोड़ें या भूमिका बदलें' },
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
    label: { en: 'Remove the project', hi: 'परियोजना हटाएँ' },
    isDangerous: true,
    isBulk: true,
    run: async (id) => {
      if (!(await stores.teams.removeProject(numberOf(id) ?? 0))) throw teamPartNotFound('project', numberOf(id) ?? 0);
      return {};
    },
  };
}
