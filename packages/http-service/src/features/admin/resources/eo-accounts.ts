import { type EoAccount, invalidField } from '@headwater/core';
import { checkedName } from '@headwater/identity';
import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import type { Html } from '../../../pages/layout.ts';
import { copyText } from '../../../pages/parts.ts';
import { localText } from '../../../pages/texts.ts';
import type {
  AdminAction,
  AdminActed,
  AdminCaller,
  AdminDetail,
  AdminField,
  AdminQuery,
  AdminResource,
  AdminRow,
  AdminTexts,
  LocalText,
  Tone,
} from '../../../seam/admin-resource.ts';
import type { CredentialCheck, CredentialStep, EoCredentials } from '../../../seam/eo-credentials.ts';
import { absent } from '../../../wire/absent.ts';
import { textFor } from '../page/admin-parts.ts';
import { numberOf } from './people-parts.ts';

type Deps = Ports<'stores' | 'closing'>;

/** Time limit of a test of a connection, ms. */
const TEST_MS = 10_000;

const LABELS = {
  id: localText('id'),
  name: localText('name'),
  account_email: localText('accountEMail'),
  service_account_email: localText('serviceAccountEMail'),
  platform: localText('platform'),
  is_visible: localText('visible'),
  is_active: localText('active'),
} satisfies Record<string, LocalText>;

const PLATFORMS: readonly { readonly value: EoAccount['platform']; readonly label: LocalText }[] = [
  { value: 'local', label: localText('localNeedsNoCredentials') },
  { value: 'earth_engine', label: { en: 'earth_engine' } },
];

const YES_NO = [
  { value: 'yes', label: localText('adminYes') },
  { value: 'no', label: localText('adminNo') },
];

const FIELDS: readonly AdminField[] = [
  {
    name: 'name',
    label: LABELS.name,
    hint: localText('nameOfTheAccountIn'),
    isRequired: true,
    most: 150,
  },
  {
    name: 'account_email',
    label: LABELS.account_email,
    hint: localText('listsGroupAccountsByIt'),
    kind: 'email',
    most: 254,
  },
  {
    name: 'service_account_email',
    label: LABELS.service_account_email,
    hint: localText('theClientEmailOfThe'),
    kind: 'email',
    most: 254,
  },
  {
    name: 'platform',
    label: LABELS.platform,
    hint: localText('thisServiceComputesWithAccounts'),
    kind: 'select',
    choices: PLATFORMS,
    isRequired: true,
  },
  {
    name: 'is_visible',
    label: LABELS.is_visible,
    hint: localText('listsOmitAHiddenAccount'),
    kind: 'checkbox',
  },
];

/** Earth-observation accounts. `credentials`: the mounted credentials file, if the service has one. */
export function eoAccountsResource(deps: Deps, credentials?: EoCredentials): AdminResource {
  const { eoAccounts } = deps.stores;
  return {
    name: 'eo-accounts',
    title: localText('earthObservationAccounts'),
    one: localText('earthObservationAccount'),
    section: 'work',
    lead: localText('requestsToComputeContainThe'),
    columns: Object.entries(LABELS).map(([name, label]) => ({
      name,
      label,
      isSortable: name === 'id' || name === 'name',
    })),
    filters: [
      { name: 'platform', label: LABELS.platform, choices: PLATFORMS },
      { name: 'is_active', label: LABELS.is_active, choices: YES_NO },
      { name: 'is_visible', label: LABELS.is_visible, choices: YES_NO },
    ],
    search: localText('nameEMailOrId'),
    count: async () => (await eoAccounts.list()).length,
    list: async (query) => {
      const found = (await eoAccounts.list()).filter((account) => isFound(account, query));
      if (query.sort?.column === 'name') found.sort((a, b) => a.name.localeCompare(b.name, 'en'));
      if (query.sort?.isDescending === true) found.reverse();
      return { rows: found.slice(query.offset, query.offset + query.limit).map(rowOf), total: found.length };
    },
    find: async (id, caller) => {
      const account = await eoAccounts.byId(numberOf(id) ?? 0);
      return account === undefined ? undefined : detailOf(account, caller, credentials);
    },
    fields: [...FIELDS, { name: 'is_active', label: LABELS.is_active, kind: 'checkbox', isReadOnly: true }],
    add: {
      fields: FIELDS,
      initial: async () => ({
        service_account_email: (await credentials?.email()) ?? '',
        platform: 'local',
        is_visible: 'on',
      }),
      parts: async (caller) => await credentialsPart(caller, credentials),
      run: async (texts) => {
        const wanted = accountOf(texts);
        await checkServiceEmail(wanted, credentials);
        return { id: String((await eoAccounts.create(wanted)).id) };
      },
    },
    change: async (id, texts) => {
      const wanted = accountOf(texts);
      const known = await eoAccounts.byId(numberOf(id) ?? 0);
      if (known === undefined) throw absent('eoAccount', { id });
      // The stored address can differ from that of the credentials file, for example after a change of the key. Such an account can still
      // be renamed or hidden.
      const isSame = known.serviceAccountEmail === wanted.serviceAccountEmail && known.platform === wanted.platform;
      if (!isSame) await checkServiceEmail(wanted, credentials);
      await eoAccounts.change(known.id, wanted);
    },
    actions: [...stateActions(deps), ...(credentials === undefined ? [] : [testAction(deps, credentials)])],
  };
}

function isFound(account: EoAccount, { search, filters }: AdminQuery): boolean {
  const { id, name, accountEmail, serviceAccountEmail, platform, isActive, isVisible } = account;
  const words = search.toLowerCase();
  const texts = [name, accountEmail ?? '', serviceAccountEmail ?? ''].map((text) => text.toLowerCase());
  const isWanted = (name_: string, is: boolean): boolean =>
    filters[name_] === undefined || (filters[name_] === 'yes') === is;
  return (
    (String(id) === search || texts.some((text) => text.includes(words))) &&
    (filters['platform'] ?? platform) === platform &&
    isWanted('is_active', isActive) &&
    isWanted('is_visible', isVisible)
  );
}

function rowOf(account: EoAccount): AdminRow {
  const { id, name, accountEmail, serviceAccountEmail, platform, isVisible, isActive } = account;
  const emails = { account_email: accountEmail, service_account_email: serviceAccountEmail };
  return {
    id: String(id),
    values: { id, name, ...emails, platform, is_visible: isVisible, is_active: isActive },
  };
}

const mark = (is: boolean): string => (is ? 'on' : '');

function detailOf(account: EoAccount, caller: AdminCaller, credentials: EoCredentials | undefined): AdminDetail {
  const { id, name, accountEmail, serviceAccountEmail, platform, isVisible, isActive } = account;
  const what: LocalText = localText('idOfThisAccountFor');
  const isUnset = platform !== 'local' && credentials === undefined;
  return {
    title: name,
    texts: {
      name,
      account_email: accountEmail ?? '',
      service_account_email: serviceAccountEmail ?? '',
      platform,
      is_visible: mark(isVisible),
      is_active: mark(isActive),
    },
    top: [
      html`<div class="large">
        <p>${textFor(caller, what)}</p>
        ${copyText(String(id), textFor(caller, what))}
      </div>`,
      ...(isUnset ? [html`<p class="empty">${textFor(caller, NO_SETTING)}</p>`] : []),
    ],
    consequences: [localText('requestsToComputeWithThis')],
  };
}

const NO_SETTING: LocalText = localText('accountsOfThePlatformEarth');
const NO_EMAIL: LocalText = localText('theCredentialsFileOfThis');
const FROM_FILE: LocalText = localText('theServiceAccountEMail');

async function credentialsPart(caller: AdminCaller, credentials: EoCredentials | undefined): Promise<readonly Html[]> {
  const mounted = await credentials?.email();
  if (mounted !== undefined) return [html`<p>${textFor(caller, FROM_FILE)} <code>${mounted}</code></p>`];
  return [html`<p class="empty">${textFor(caller, credentials === undefined ? NO_SETTING : NO_EMAIL)}</p>`];
}

/** The account that a form describes. Throws `validation` for a name or an address that cannot be stored. */
function accountOf(texts: AdminTexts) {
  const { name = '', account_email: accountEmail = '', service_account_email: serviceEmail = '' } = texts;
  const { value: platform } = PLATFORMS.find(({ value }) => value === texts['platform']) ?? { value: 'local' as const };
  return {
    name: checkedName(name),
    accountEmail: checkedEmail('accountEmail', accountEmail),
    serviceAccountEmail: checkedEmail('serviceAccountEmail', serviceEmail),
    platform,
    isVisible: texts['is_visible'] === 'on',
  };
}

function checkedEmail(field: string, typed: string): string | null {
  if (typed === '') return null;
  if (/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(typed)) return typed;
  throw invalidField(field, 'Enter a valid email address, like name@example.org.');
}

/** Throws `validation` if the service account is missing, or is not that of the mounted credentials file. */
async function checkServiceEmail(
  { platform, serviceAccountEmail: typed }: Pick<EoAccount, 'platform' | 'serviceAccountEmail'>,
  credentials: EoCredentials | undefined,
): Promise<void> {
  const mounted = await credentials?.email();
  if (typed === null && platform !== 'local')
    throw invalidField(
      'serviceAccountEmail',
      `Accounts of the platform ${platform} need it; use the client_email of the credentials file.`,
    );
  if (typed === null || mounted === undefined || typed.toLowerCase() === mounted.toLowerCase()) return;
  throw invalidField(
    'serviceAccountEmail',
    `The mounted credentials file is of ${mounted}, but this is ${typed}; use the address of the file, or mount the file of ${typed}.`,
  );
}

const isOn = (name: string, wanted: boolean) => (detail: AdminDetail) => (detail.texts[name] === 'on') === wanted;

function stateActions({ stores }: Deps): readonly AdminAction[] {
  const set = (change: { readonly isActive: boolean } | { readonly isVisible: boolean }): AdminAction['run'] => {
    return async (id) => {
      const changed = await stores.eoAccounts.change(numberOf(id) ?? 0, change);
      if (changed === undefined) throw absent('eoAccount', { id });
      return {};
    };
  };
  const common = { isBulk: true } as const;
  return [
    {
      ...common,
      name: 'disable',
      label: localText('disable'),
      isDangerous: true,
      isOffered: isOn('is_active', true),
      run: set({ isActive: false }),
    },
    {
      ...common,
      name: 'enable',
      label: localText('enable'),
      isOffered: isOn('is_active', false),
      run: set({ isActive: true }),
    },
    {
      ...common,
      name: 'hide',
      label: localText('hide'),
      isDangerous: true,
      isOffered: isOn('is_visible', true),
      run: set({ isVisible: false }),
    },
    {
      ...common,
      name: 'show',
      label: localText('show'),
      isOffered: isOn('is_visible', false),
      run: set({ isVisible: true }),
    },
  ];
}

const CHECKS: Readonly<Record<CredentialCheck, LocalText>> = {
  file: localText('theCredentialsFileCanBe'),
  json: localText('theFileIsTheKey'),
  email: localText('theFileAndTheAccount'),
  token: localText('thePlatformAcceptsTheKey'),
  bucket: localText('theBucketCanBeRead'),
};
const RESULTS: Readonly<Record<Tone, LocalText>> = {
  ok: localText('yes'),
  failing: localText('no'),
  off: localText('notChecked'),
};
const TEST: LocalText = localText('testOfTheConnection');

function testAction({ stores, closing }: Deps, credentials: EoCredentials): AdminAction {
  return {
    name: 'test-connection',
    label: localText('testConnection'),
    isOffered: ({ texts }) => texts['platform'] !== 'local' || texts['service_account_email'] !== '',
    run: async (id, caller) => {
      const account = await stores.eoAccounts.byId(numberOf(id) ?? 0);
      if (account === undefined) throw absent('eoAccount', { id });
      const signal = AbortSignal.any([closing, AbortSignal.timeout(TEST_MS)]);
      return actedOf(await credentials.test(account, signal), caller);
    },
  };
}

function actedOf(steps: readonly CredentialStep[], caller: AdminCaller): AdminActed {
  const failed = steps.find(({ state }) => state === 'failing');
  const parts = [stepsPart(steps, caller)];
  if (failed === undefined) return { notice: localText('theConnectionWorks'), parts };
  const notice = localText('theConnectionFailedAt', { check: CHECKS[failed.check] });
  return { notice, isFailure: true, parts };
}

function stepsPart(steps: readonly CredentialStep[], caller: AdminCaller): Html {
  const say = (text: LocalText): string => textFor(caller, text);
  return html`<section aria-labelledby="steps">
    <h2 id="steps">${say(TEST)}</h2>
    <ol class="plain">
      ${steps.map(
        ({ check, state, detail }) =>
          html`<li>
            ${say(CHECKS[check])}: <strong class="${state}">${say(RESULTS[state])}</strong>${
              detail === undefined ? '' : html`. ${say(detail)}`
            }
          </li> `,
      )}
    </ol>
  </section>`;
}
