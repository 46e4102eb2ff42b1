import type { Organization, Person, UserWish } from '@headwater/identity';
import type { AdminParts } from '../../../deps.ts';
import { momentText } from '../../../pages/words.ts';
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

const NAME = { en: 'Name', hi: 'नाम' };
const EMAIL = { en: 'E-mail address', hi: 'ई-मेल पता' };
const MAY_COMPUTE = { en: 'May compute', hi: 'गणना की अनुमति' };
const ACTIVE = { en: 'Active', hi: 'सक्रिय' };
const SUPERUSER = { en: 'Superuser', hi: 'सुपरयूज़र' };
const CREATED = { en: 'Created', hi: 'बनाया गया' };
const SESSIONS = { en: 'Browser sessions', hi: 'ब्राउज़र सत्र' };
const SHOW = { en: 'Show', hi: 'दिखाएँ' };
const YES_NO = [
  { value: 'yes', label: { en: 'Yes', hi: 'हाँ' } },
  { value: 'no', label: { en: 'No', hi: 'नहीं' } },
];

const USERNAME: AdminField = { name: 'username', label: { en: 'User name', hi: 'उपयोगकर्ता नाम' }, most: 150 };
const DETAILS: readonly AdminField[] = [
  { name: 'email', label: EMAIL, kind: 'email', most: 254 },
  { name: 'first_name', label: { en: 'First name', hi: 'नाम' }, most: 150 },
  { name: 'last_name', label: { en: 'Last name', hi: 'उपनाम' }, most: 150 },
  { name: 'contact_number', label: { en: 'Phone', hi: 'फ़ोन' }, most: 40 },
];
const COMPUTES: AdminField = {
  name: 'may_compute',
  label: { en: 'May start computations', hi: 'गणना शुरू कर सकता है' },
  kind: 'checkbox',
};
const PASSWORD: AdminField = {
  name: 'password',
  label: { en: 'Password', hi: 'पासवर्ड' },
  hint: {
    en: 'At least 8 characters, not a common password, not digits alone.',
    hi: 'कम से कम 8 अक्षर; बहुत प्रचलित पासवर्ड या केवल अंक नहीं।',
  },
  kind: 'password',
  isRequired: true,
  most: 1024,
};
const OWN_PASSWORD: AdminField = {
  name: 'old_password',
  label: { en: 'Your own password', hi: 'आपका अपना पासवर्ड' },
  hint: {
    en: 'Needed only for a new e-mail address of a superuser.',
    hi: 'केवल किसी सुपरयूज़र के नए ई-मेल पते के लिए आवश्यक।',
  },
  kind: 'password',
  most: 1024,
};

/** Users of the service. Rules and limits are those of the account service. */
export function usersResource(deps: Deps): AdminResource {
  const { accounts, stores } = deps;
  return {
    name: 'users',
    title: { en: 'Users', hi: 'उपयोगकर्ता' },
    one: { en: 'user', hi: 'उपयोगकर्ता' },
    section: 'people',
    lead: { en: 'Accounts of people and programs.', hi: 'लोगों और प्रोग्रामों के खाते।' },
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
    search: { en: 'Search in names and e-mail addresses', hi: 'नामों और ई-मेल पतों में खोजें' },
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

/** Id of a user in an address; 0, which no user has, for other texts. */
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
      [{ en: 'Id', hi: 'आईडी' }, user.id],
      [CREATED, momentText(user.createdAt, language)],
      [
        { en: 'API keys', hi: 'एपीआई कुंजियाँ' },
        { text: count, href: `/admin/api-keys/?q=${searched}` },
      ],
      [SESSIONS, { text: SHOW[language], href: `/admin/sessions/?q=${searched}` }],
      [{ en: 'Organisation', hi: 'संस्था' }, linkOf(organization, '/admin/organizations/', organization?.id)],
      [{ en: 'Wants to join', hi: 'जुड़ना चाहता है' }, linkOf(requestedOrganization, '/admin/join-requests/', user.id)],
      [{ en: 'Groups', hi: 'समूह' }, groups.map(({ name }) => name).join(', ')],
    ],
    consequences: [
      { en: 'All sessions and tokens of the account end at once.', hi: 'खाते के सभी सत्र और टोकन तुरंत समाप्त होंगे।' },
      {
        en: `API keys that stop working while it is disabled: ${count}`,
        hi: `एपीआई कुंजियाँ, जो बंद रहने तक काम नहीं करेंगी: ${count}`,
      },
    ],
  };
}

/** An organisation with a link to a page of this row. */
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
      label: { en: 'Set a new password', hi: 'नया पासवर्ड रखें' },
      fields: [PASSWORD],
      // A stolen session of one superuser must not open the account of another.
      isOffered: isOn('is_superuser', false),
      run: async (id, { principal }, { password = '' }) => {
        await knownPerson(stores, idOf(id));
        await accounts.resetPassword(idOf(id), password, { by: principal.user });
        return {
          notice: {
            en: 'The password is set; every session and API key of the user has ended.',
            hi: 'पासवर्ड रख दिया गया; उपयोगकर्ता का हर सत्र और हर एपीआई कुंजी समाप्त हुई।',
          },
        };
      },
    },
    {
      name: 'end-sessions',
      label: { en: 'End all sessions', hi: 'सभी सत्र समाप्त करें' },
      isBulk: true,
      run: async (id, { principal }) => {
        await knownPerson(stores, idOf(id));
        await accounts.endSessions(idOf(id), principal.user);
        return {};
      },
    },
    {
      name: 'disable',
      label: { en: 'Disable', hi: 'बंद करें' },
      isDangerous: true,
      isBulk: true,
      isOffered: isOn('is_active', true),
      run: set({ isActive: false }),
    },
    {
      name: 'enable',
      label: { en: 'Enable', hi: 'चालू करें' },
      isBulk: true,
      isOffered: isOn('is_active', false),
      run: set({ isActive: true }),
    },
    {
      name: 'allow-computing',
      label: { en: 'Allow to compute', hi: 'गणना की अनुमति दें' },
      isBulk: true,
      isOffered: isOn('may_compute', false),
      run: set({ mayCompute: true }),
    },
    {
      name: 'refuse-computing',
      label: { en: 'Do not allow to compute', hi: 'गणना की अनुमति हटाएँ' },
      isBulk: true,
      isOffered: isOn('may_compute', true),
      run: set({ mayCompute: false }),
    },
  ];
}
