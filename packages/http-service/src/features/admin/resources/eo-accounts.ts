import { type EoAccount, type EoAccountChange, invalidField } from '@headwater/core';
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
  AdminQuery,
  AdminResource,
  AdminRow,
  LocalText,
  Tone,
} from '../../../seam/admin-resource.ts';
import type { CredentialCheck, CredentialStep, EoCredentials } from '../../../seam/eo-credentials.ts';
import { absent } from '../../../wire/absent.ts';
import { checkPlatformChange } from '../../accounts/platform-change.ts';
import { textFor } from '../page/admin-parts.ts';
import { accountOf, AUDIENCES, checkServiceEmail, fieldsOf, LABELS, PLATFORMS } from './eo-account-form.ts';
import { moment, numberOf } from './people-parts.ts';

type Deps = Ports<'stores' | 'closing' | 'eoAccess' | 'clock'>;

const TEST_MS = 10_000;

const YES_NO = [
  { value: 'yes', label: localText('adminYes') },
  { value: 'no', label: localText('adminNo') },
];

const COLUMNS = [
  'id',
  'name',
  'account_email',
  'service_account_email',
  'platform',
  'visible_to',
  'has_key',
  'is_visible',
  'is_active',
] as const;

/** Earth-observation accounts. `credentials`: the credentials of accounts, if the service has any. */
export function eoAccountsResource(deps: Deps, credentials?: EoCredentials): AdminResource {
  const { eoAccounts } = deps.stores;
  return {
    name: 'eo-accounts',
    title: localText('earthObservationAccounts'),
    one: localText('earthObservationAccount'),
    section: 'work',
    lead: localText('requestsToComputeContainThe'),
    columns: COLUMNS.map((name) => ({
      name,
      label: LABELS[name],
      isSortable: name === 'id' || name === 'name',
    })),
    filters: [
      { name: 'platform', label: LABELS.platform, choices: PLATFORMS },
      { name: 'visible_to', label: LABELS.visible_to, choices: AUDIENCES },
      { name: 'is_active', label: LABELS.is_active, choices: YES_NO },
      { name: 'is_visible', label: LABELS.is_visible, choices: YES_NO },
    ],
    search: localText('nameEMailOrId'),
    count: async () => (await eoAccounts.list()).length,
    list: async (query, caller) => {
      const found = (await eoAccounts.list()).filter((account) => isFound(account, query));
      if (query.sort?.column === 'name') found.sort((a, b) => a.name.localeCompare(b.name, 'en'));
      if (query.sort?.isDescending === true) found.reverse();
      return {
        rows: found.slice(query.offset, query.offset + query.limit).map((account) => rowOf(account, caller)),
        total: found.length,
      };
    },
    find: async (id, caller) => {
      const account = await eoAccounts.byId(numberOf(id) ?? 0);
      return account === undefined ? undefined : await detailOf(deps, account, { caller, credentials });
    },
    fields: [
      ...fieldsOf(credentials),
      { name: 'has_key', label: LABELS.has_key, kind: 'checkbox', isReadOnly: true },
      { name: 'is_active', label: LABELS.is_active, kind: 'checkbox', isReadOnly: true },
    ],
    add: {
      fields: fieldsOf(credentials),
      initial: async () => ({
        service_account_email: (await credentials?.email()) ?? '',
        platform: 'local',
        is_visible: 'on',
      }),
      parts: async (caller) => await credentialsPart(caller, credentials),
      run: async (texts) => {
        const { account, key } = await accountOf(deps, texts, credentials);
        await checkServiceEmail(account, { key, credentials });
        const { id } = await eoAccounts.create(account);
        if (key !== undefined) await eoAccounts.setSealedKey(id, key.sealFor(id));
        return { id: String(id) };
      },
    },
    change: async (id, texts) => {
      const { account, key } = await accountOf(deps, texts, credentials);
      const known = await eoAccounts.byId(numberOf(id) ?? 0);
      if (known === undefined) throw absent('eoAccount', { id });
      await checkPlatformChange(known, account.platform, deps);
      // Without a new key, an unchanged address and platform are not checked: if the credentials file was replaced, its
      // address may differ, and the other fields must remain changeable.
      const isSame = known.serviceAccountEmail === account.serviceAccountEmail && known.platform === account.platform;
      if (key !== undefined) await checkServiceEmail(account, { key, credentials });
      else if (!isSame && known.hasKey) await checkOwnKey({ ...known, ...account }, credentials);
      else if (!isSame) await checkServiceEmail(account, { key, credentials });
      await eoAccounts.change(known.id, account);
      if (key !== undefined) await eoAccounts.setSealedKey(known.id, key.sealFor(known.id));
    },
    actions: [
      ...(credentials === undefined ? [] : [testAction(deps, credentials)]),
      ...stateActions(deps),
      ...removals(deps),
    ],
  };
}

function isFound(account: EoAccount, { search, filters }: AdminQuery): boolean {
  const { id, name, accountEmail, serviceAccountEmail, platform, isActive, isVisible, visibleTo } = account;
  const words = search.toLowerCase();
  const texts = [name, accountEmail ?? '', serviceAccountEmail ?? ''].map((text) => text.toLowerCase());
  const isWanted = (name_: string, is: boolean): boolean =>
    filters[name_] === undefined || (filters[name_] === 'yes') === is;
  return (
    (String(id) === search || texts.some((text) => text.includes(words))) &&
    (filters['platform'] ?? platform) === platform &&
    (filters['visible_to'] ?? visibleTo) === visibleTo &&
    isWanted('is_active', isActive) &&
    isWanted('is_visible', isVisible)
  );
}

function rowOf(account: EoAccount, caller: AdminCaller): AdminRow {
  const { id, name, accountEmail, serviceAccountEmail, platform, isVisible, isActive, visibleTo, hasKey } = account;
  const emails = { account_email: accountEmail, service_account_email: serviceAccountEmail };
  const audience = AUDIENCES.find(({ value }) => value === visibleTo);
  const usableBy = audience === undefined ? visibleTo : textFor(caller, audience.label);
  const states = { visible_to: usableBy, has_key: hasKey, is_visible: isVisible, is_active: isActive };
  return { id: String(id), values: { id, name, ...emails, platform, ...states } };
}

const mark = (is: boolean): string => (is ? 'on' : '');

interface DetailParts {
  readonly caller: AdminCaller;
  readonly credentials: EoCredentials | undefined;
}

async function detailOf(deps: Deps, account: EoAccount, { caller, credentials }: DetailParts): Promise<AdminDetail> {
  const { id, name, accountEmail, serviceAccountEmail, platform, isVisible, isActive, exhaustedUntil } = account;
  const { ownerId, organizationId, visibleTo, hasKey } = account;
  const { users, people } = deps.stores;
  const [owner, organization, problem] = await Promise.all([
    ownerId === null ? undefined : users.byId(ownerId),
    organizationId === null ? undefined : people.organization(organizationId),
    deps.eoAccess.problemOf(account),
  ]);
  const what: LocalText = localText('idOfThisAccountFor');
  const isSpent = isSpentAt(account, deps);
  const isOfRemoved = isForRemoved(account, { owner, organization });
  const reasons: readonly string[] = [
    ...(problem === undefined ? [] : [problem]),
    ...(isVisible ? [] : [textFor(caller, localText('accountIsHidden'))]),
    ...(isOfRemoved ? [textFor(caller, localText('accountHasNoUsers'))] : []),
  ];
  const isUnset = platform !== 'local' && !hasKey && !isMounted(credentials);
  return {
    title: name,
    facts: [
      ...reasons.map((text) => [localText('notUsableNow'), { text, tone: 'failing' }] as const),
      ...(isSpent ? ([[localText('quotaSpentUntil'), moment(exhaustedUntil, caller)]] as const) : []),
    ],
    texts: {
      visible_to: visibleTo,
      owner: owner?.username ?? '',
      organization: organization?.name ?? '',
      has_key: mark(hasKey),
      is_spent: mark(isSpent),
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

const isSpentAt = ({ exhaustedUntil }: EoAccount, { clock }: Pick<Deps, 'clock'>): boolean =>
  exhaustedUntil !== null && new Date(exhaustedUntil) > clock.now();

function isForRemoved(
  { visibleTo }: EoAccount,
  { owner, organization }: { readonly owner: object | undefined; readonly organization: object | undefined },
): boolean {
  return visibleTo === 'owner' ? owner === undefined : visibleTo === 'organization' && organization === undefined;
}

const isMounted = (credentials: EoCredentials | undefined): boolean =>
  credentials !== undefined && credentials.isMounted !== false;

const NO_SETTING: LocalText = localText('accountsOfThePlatformEarth');
const NO_EMAIL: LocalText = localText('theCredentialsFileOfThis');
const FROM_FILE: LocalText = localText('theServiceAccountEMail');

async function credentialsPart(caller: AdminCaller, credentials: EoCredentials | undefined): Promise<readonly Html[]> {
  const mounted = await credentials?.email();
  if (mounted !== undefined) return [html`<p>${textFor(caller, FROM_FILE)} <code>${mounted}</code></p>`];
  return [html`<p class="empty">${textFor(caller, isMounted(credentials) ? NO_EMAIL : NO_SETTING)}</p>`];
}

const isOn = (name: string, wanted: boolean) => (detail: AdminDetail) => (detail.texts[name] === 'on') === wanted;

function stateActions({ stores }: Deps): readonly AdminAction[] {
  const set = (change: Pick<EoAccountChange, 'isActive' | 'isVisible' | 'exhaustedUntil'>): AdminAction['run'] => {
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
    {
      ...common,
      name: 'mark-available',
      label: localText('markQuotaAsAvailable'),
      isOffered: isOn('is_spent', true),
      run: set({ exhaustedUntil: null }),
    },
  ];
}

/** Throws `validation` if the account's own key cannot be used, for example with a new address; `local` needs none. */
async function checkOwnKey(account: EoAccount, credentials: EoCredentials | undefined): Promise<void> {
  const problem = await credentials?.problemOf?.(account);
  if (problem !== undefined && account.platform !== 'local') throw invalidField('serviceAccountEmail', problem);
}

function removals({ stores }: Deps): readonly AdminAction[] {
  return [
    {
      name: 'remove-key',
      label: localText('removeItsCredentials'),
      isDangerous: true,
      isOffered: isOn('has_key', true),
      consequences: [localText('withoutItsCredentials')],
      run: async (id) => {
        if (!(await stores.eoAccounts.setSealedKey(numberOf(id) ?? 0, null))) throw absent('eoAccount', { id });
        return {};
      },
    },
    {
      name: 'remove',
      label: localText('remove'),
      isDangerous: true,
      run: async (id) => {
        if (!(await stores.eoAccounts.remove(numberOf(id) ?? 0))) throw absent('eoAccount', { id });
        return {};
      },
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

function testAction({ stores, closing, clock }: Deps, credentials: EoCredentials): AdminAction {
  return {
    name: 'test-connection',
    label: localText('testConnection'),
    isOffered: ({ texts }) => texts['platform'] !== 'local' || texts['service_account_email'] !== '',
    run: async (id, caller) => {
      const account = await stores.eoAccounts.byId(numberOf(id) ?? 0);
      if (account === undefined) throw absent('eoAccount', { id });
      const signal = AbortSignal.any([closing, AbortSignal.timeout(TEST_MS)]);
      const steps = await credentials.test(account, signal);
      // The test starts no computation, so it succeeds even if the quota is spent. Its notice then states until when.
      return actedOf(steps, caller, isSpentAt(account, { clock }) ? account.exhaustedUntil : null);
    },
  };
}

function actedOf(steps: readonly CredentialStep[], caller: AdminCaller, spentUntil: string | null): AdminActed {
  const failed = steps.find(({ state }) => state === 'failing');
  const parts = [stepsPart(steps, caller)];
  if (failed === undefined && spentUntil !== null)
    return { notice: localText('theConnectionWorksWithoutQuota', { until: spentUntil }), parts };
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
