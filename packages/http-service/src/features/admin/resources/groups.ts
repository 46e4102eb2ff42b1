import { type Group, GROUPS, ORGANIZATION_ADMIN } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import type { AdminAction, AdminResource, LocalText } from '../../../seam/admin-resource.ts';
import { textFor } from '../page/admin-parts.ts';
import { membersPart, namedUser, numberOf, removeMemberAction, SHOWN_MEMBERS, USERNAME } from './people-parts.ts';

const LABELS = {
  name: { en: 'Name', hi: 'नाम' },
  rights: { en: 'Rights', hi: 'अधिकार' },
  members: { en: 'Members', hi: 'सदस्य' },
} satisfies Record<string, LocalText>;

const READS_USERS: LocalText = {
  en: 'Reads the users of the own organisation',
  hi: 'अपनी संस्था के उपयोगकर्ताओं को देखना',
};
const NO_RIGHTS: LocalText = { en: 'None', hi: 'कोई नहीं' };

const rightsOf = ({ id }: Group): LocalText => (id === ORGANIZATION_ADMIN ? READS_USERS : NO_RIGHTS);
const groupNamed = (id: string): Group | undefined => GROUPS.find((group) => group.id === numberOf(id));

/** The groups of the installation, which are fixed, with their members. */
export function groupResource(deps: Ports<'stores'>): AdminResource {
  const { stores } = deps;
  return {
    name: 'groups',
    title: { en: 'Groups', hi: 'समूह' },
    one: { en: 'group', hi: 'समूह' },
    section: 'people',
    lead: {
      en: 'The groups are the same on every service. Members are added and removed on the page of a group.',
      hi: 'समूह हर सेवा पर समान हैं। सदस्य समूह के पृष्ठ पर जोड़े और हटाए जाते हैं।',
    },
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
      const heads = { heading: LABELS.members, none: { en: 'No members.', hi: 'कोई सदस्य नहीं।' } };
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
      label: { en: 'Add a member', hi: 'सदस्य जोड़ें' },
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
