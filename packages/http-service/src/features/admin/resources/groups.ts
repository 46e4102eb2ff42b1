import { type Group, GROUPS, ORGANIZATION_ADMIN } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { localText } from '../../../pages/texts.ts';
import type { AdminAction, AdminResource, LocalText } from '../../../seam/admin-resource.ts';
import { textFor } from '../page/admin-parts.ts';
import { membersPart, namedUser, numberOf, removeMemberAction, SHOWN_MEMBERS, USERNAME } from './people-parts.ts';

const LABELS = {
  name: localText('name'),
  rights: localText('rights'),
  members: localText('members'),
} satisfies Record<string, LocalText>;

const READS_USERS: LocalText = localText('readsTheUsersOfThe');
const NO_RIGHTS: LocalText = localText('adminNone');

const rightsOf = ({ id }: Group): LocalText => (id === ORGANIZATION_ADMIN ? READS_USERS : NO_RIGHTS);
const groupNamed = (id: string): Group | undefined => GROUPS.find((group) => group.id === numberOf(id));

/** The fixed groups of the installation, with their members. */
export function groupResource(deps: Ports<'stores'>): AdminResource {
  const { stores } = deps;
  return {
    name: 'groups',
    title: localText('groups'),
    one: localText('group'),
    section: 'people',
    lead: localText('theGroupsAreTheSame'),
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label })),
    list: async ({ limit, offset }, { language }) => {
      const sizes = await stores.directory.groupSizes();
      const rows = GROUPS.slice(offset, offset + limit).map((group) => {
        const rights = textFor({ language }, rightsOf(group));
        return { id: String(group.id), values: { name: group.name, rights, members: sizes.get(group.id) ?? 0 } };
      });
      return { rows, total: GROUPS.length };
    },
    count: async () => GROUPS.length,
    find: async (id, caller) => {
      const group = groupNamed(id);
      if (group === undefined) return undefined;
      const members = await stores.directory.members({ group: group.id }, { limit: SHOWN_MEMBERS });
      const rights = textFor(caller, rightsOf(group));
      const heads = { heading: LABELS.members, none: localText('noMembers') };
      return {
        title: group.name,
        texts: {},
        facts: [[LABELS.rights, rights]],
        parts: [membersPart(caller, { ...heads, ...members })],
      };
    },
    actions: memberActions(deps),
  };
}

function memberActions(deps: Ports<'stores'>): readonly AdminAction[] {
  const { directory, teams } = deps.stores;
  return [
    {
      name: 'add-member',
      label: localText('addAMember'),
      fields: [USERNAME],
      run: async (id, _caller, texts) => {
        const user = await namedUser(deps, texts);
        await teams.joinGroup(user.id, numberOf(id) ?? 0);
        return {};
      },
    },
    removeMemberAction(deps, async ({ id: userId }, id) => {
      const group = numberOf(id) ?? 0;
      const { total } = await directory.members({ group }, { userId, limit: 1 });
      if (total > 0) await teams.leaveGroup(userId, group);
      return total > 0;
    }),
  ];
}
