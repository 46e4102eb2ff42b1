import type { Organization, Person, UserWish } from '@headwater/identity';
import type { AdminParts } from '../../../deps.ts';
import { momentText } from '../../../pages/words.ts';
import { localText } from '../../../pages/texts.ts';
import type {
  AdminAction,
  AdminCaller,
  AdminDetail,
  AdminField,
  AdminQuery,
  AdminResource,
  AdminTexts,
  AdminValue,
} from '../../../seam/admin-resource.ts';
import { knownPerson } from '../../accounts/handlers/known-person.ts';

type Deps = Pick<AdminParts, 'accounts' | 'apiKeys' | 'stores'>;

const NAME = localText('name');
const EMAIL = localText('email');
const MAY_COMPUTE = localText('adminMayCompute');
const ACTIVE = localText('active');
const SUPERUSER = localText('superuser');
const CREATED = localText('created');
const SESSIONS = localText('browserSessions');
const SHOW = localText('show');
const YES_NO = [
  { value: 'yes', label: localText('adminYes') },
  { value: 'no', label: localText('adminNo') },
];

const USERNAME: AdminField = { name: 'username', label: localText('userName'), most: 150 };
const DETAILS: readonly AdminField[] = [
  { name: 'email', label: EMAIL, kind: 'email', most: 254 },
  { name: 'first_name', label: localText('adminFirstName'), most: 150 },
  { name: 'last_name', label: localText('adminLastName'), most: 150 },
  { name: 'contact_number', label: localText('phone'), most: 40 },
];
const COMPUTES: AdminField = {
  name: 'may_compute',
  label: localText('mayStartComputations'),
  kind: 'checkbox',
};
const PASSWORD: AdminField = {
  name: 'password',
  label: localText('password'),
  hint: localText('passwordHint'),
  kind: 'password',
  isRequired: true,
  most: 1024,
};
const OWN_PASSWORD: AdminField = {
  name: 'old_password',
  label: localText('yourOwnPassword'),
  hint: localText('neededOnlyForANew'),
  kind: 'password',
  most: 1024,
};

/** Users of the service. The account service checks all rules and limits. */
export function usersResource(deps: Deps): AdminResource {
  const { accounts, stores } = deps;
  return {
    name: 'users',
    title: localText('users'),
    one: localText('user'),
    section: 'people',
    lead: localText('accountsOfPeopleAndPrograms'),
    columns: [
      { name: 'username', label: USERNAME.label, isSortable: true },
      { name: 'name', label: NAME },
      { name: 'email', label: EMAIL, isSortable: true },
      { name: 'active', label: ACTIVE },
      { name: 'may_compute', label: MAY_COMPUTE },
      { name: 'superuser', label: SUPERUSER },
      { name: 'created', label: CREATED, isSortable: true },
    ],
    filters: [
      { name: 'active', label: ACTIVE, choices: YES_NO },
      { name: 'superuser', label: SUPERUSER, choices: YES_NO },
      { name: 'may_compute', label: MAY_COMPUTE, choices: YES_NO },
    ],
    search: localText('searchInNamesAndE'),
    count: () => stores.users.count(),
    list: async (query, { language }) => {
      const { users, total } = await stores.users.list(wishOf(query));
      const rows = users.map((user) => ({
        id: String(user.id),
        values: {
          username: user.username,
          name: `${user.firstName} ${user.lastName}`.trim(),
          email: user.email,
          active: user.isActive,
          may_compute: user.mayCompute || user.isSuperuser,
          superuser: user.isSuperuser,
          created: momentText(user.createdAt, language),
        },
      }));
      return { rows, total };
    },
    find: (id, caller) => detailOf(deps, id, caller),
    fields: [
      { ...USERNAME, isReadOnly: true },
      ...DETAILS,
      COMPUTES,
      { name: 'is_active', label: ACTIVE, kind: 'checkbox' },
      { name: 'is_superuser', label: SUPERUSER, kind: 'checkbox', isReadOnly: true },
      OWN_PASSWORD,
    ],
    add: {
      fields: [{ ...USERNAME, isRequired: true }, ...DETAILS, PASSWORD, { ...COMPUTES, initial: 'on' }],
      run: async (texts) => {
        const { username = '', password = '', contact_number: contactNumber = '', ...others } = texts;
        const { email = '', first_name: firstName = '', last_name: lastName = '', may_compute: mayCompute } = others;
        const details = { email, firstName, lastName, ...(contactNumber !== '' && { contactNumber }) };
        const user = await accounts.createUser({ username, password, ...details, mayCompute: mayCompute === 'on' });
        return { id: String(user.id) };
      },
    },
    change: (id, texts, caller) => changePerson(deps, { id, texts, caller }),
    actions: actionsOf(deps),
  };
}

function wishOf({ search, filters, sort, limit, offset }: AdminQuery): UserWish {
  const flag = (name: string): boolean | undefined =>
    filters[name] === undefined ? undefined : filters[name] === 'yes';
  const [isActive, isSuperuser, mayCompute] = ['active', 'superuser', 'may_compute'].map(flag);
  const column = sort?.column;
  return {
    search,
    ...(isActive !== undefined && { isActive }),
    ...(isSuperuser !== undefined && { isSuperuser }),
    ...(mayCompute !== undefined && { mayCompute }),
    sort: column === 'email' ? 'email' : column === 'created' ? 'createdAt' : 'username',
    isDescending: sort?.isDescending ?? false,
    limit,
    offset,
  };
}

function idOf(text: string): number {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
}

async function detailOf({ stores }: Deps, id: string, { language }: AdminCaller): Promise<AdminDetail | undefined> {
  const person = await stores.people.person(idOf(id));
  if (person === undefined) return undefined;
  const { user, organization, requestedOrganization, groups } = person;
  const keys = await stores.apiKeys.activeOf(user.id);
  const count = String(keys.length);
  const searched = encodeURIComponent(user.username);
  return {
    title: user.username,
    texts: textsOf(person),
    facts: [
      [localText('id'), user.id],
      [CREATED, momentText(user.createdAt, language)],
      [localText('apiKeys'), { text: count, href: `/admin/api-keys/?q=${searched}` }],
      [SESSIONS, { text: SHOW[language], href: `/admin/sessions/?q=${searched}` }],
      [localText('organisation'), linkOf(organization, '/admin/organizations/', organization?.id)],
      [localText('wantsToJoin'), linkOf(requestedOrganization, '/admin/join-requests/', user.id)],
      [localText('groups'), groups.map(({ name }) => name).join(', ')],
    ],
    consequences: [localText('allSessionsAndTokensOf'), localText('apiKeysThatStopWorking', { count })],
  };
}

function linkOf(organization: Organization | null, list: string, id: string | number | undefined): AdminValue {
  return organization === null ? null : { text: organization.name, href: `${list}${id}/` };
}

const mark = (is: boolean): string => (is ? 'on' : '');

function textsOf({ user }: Person): AdminTexts {
  return {
    username: user.username,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    contact_number: user.contactNumber ?? '',
    may_compute: mark(user.mayCompute),
    is_active: mark(user.isActive),
    is_superuser: mark(user.isSuperuser),
  };
}

async function changePerson(
  { accounts, stores }: Deps,
  { id, texts, caller }: { readonly id: string; readonly texts: AdminTexts; readonly caller: AdminCaller },
): Promise<void> {
  const userId = idOf(id);
  const { user } = await knownPerson(stores, userId);
  const { email = '', first_name: firstName = '', last_name: lastName = '', contact_number: phone = '' } = texts;
  const change = {
    email,
    firstName,
    lastName,
    contactNumber: phone === '' && user.contactNumber === null ? null : phone,
    mayCompute: texts['may_compute'] === 'on',
    isActive: texts['is_active'] === 'on',
  };
  const { old_password: password = '' } = texts;
  await accounts.changePerson(caller.principal, { userId, change, password }, caller.remoteAddress);
}

const isOn = (name: string, wanted: boolean) => (detail: AdminDetail) => (detail.texts[name] === 'on') === wanted;

function actionsOf({ accounts, stores }: Deps): readonly AdminAction[] {
  const set = (change: { readonly isActive: boolean } | { readonly mayCompute: boolean }): AdminAction['run'] => {
    return async (id, { principal, remoteAddress }) => {
      await accounts.changePerson(principal, { userId: idOf(id), change }, remoteAddress);
      return {};
    };
  };
  return [
    {
      name: 'reset-password',
      label: localText('setNewPassword'),
      fields: [PASSWORD],
      // Not offered for superusers: a stolen session of a superuser must not set the password of another superuser.
      isOffered: isOn('is_superuser', false),
      run: async (id, { principal }, { password = '' }) => {
        await knownPerson(stores, idOf(id));
        await accounts.resetPassword(idOf(id), password, { by: principal.user });
        return {
          notice: localText('thePasswordIsSetEvery'),
        };
      },
    },
    {
      name: 'end-sessions',
      label: localText('endAllSessions'),
      isBulk: true,
      run: async (id, { principal }) => {
        await knownPerson(stores, idOf(id));
        await accounts.endSessions(idOf(id), principal.user);
        return {};
      },
    },
    {
      name: 'disable',
      label: localText('disable'),
      isDangerous: true,
      isBulk: true,
      isOffered: isOn('is_active', true),
      run: set({ isActive: false }),
    },
    {
      name: 'enable',
      label: localText('enable'),
      isBulk: true,
      isOffered: isOn('is_active', false),
      run: set({ isActive: true }),
    },
    {
      name: 'allow-computing',
      label: localText('allowToCompute'),
      isBulk: true,
      isOffered: isOn('may_compute', false),
      run: set({ mayCompute: true }),
    },
    {
      name: 'refuse-computing',
      label: localText('doNotAllowToCompute'),
      isBulk: true,
      isOffered: isOn('may_compute', true),
      run: set({ mayCompute: false }),
    },
  ];
}
