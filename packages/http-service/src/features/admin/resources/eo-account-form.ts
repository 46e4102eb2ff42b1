import { type EoAccount, type EoAccountChange, invalidField } from '@headwater/core';
import { checkedName } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { localText } from '../../../pages/texts.ts';
import type { AdminField, AdminTexts, LocalText } from '../../../seam/admin-resource.ts';
import type { EoCredentials, UploadedKey } from '../../../seam/eo-credentials.ts';
import { organizationNamed, userOfField } from './people-parts.ts';

/** Labels of the columns and fields of accounts. */
export const LABELS = {
  id: localText('id'),
  name: localText('name'),
  account_email: localText('accountEMail'),
  service_account_email: localText('serviceAccountEMail'),
  platform: localText('platform'),
  is_visible: localText('visible'),
  is_active: localText('active'),
  visible_to: localText('usableBy'),
  owner: localText('owner'),
  organization: localText('organisation'),
  has_key: localText('ownCredentials'),
} satisfies Record<string, LocalText>;

interface Choice<T> {
  readonly value: T;
  readonly label: LocalText;
}

/** Platforms that an account can have. */
export const PLATFORMS: readonly Choice<EoAccount['platform']>[] = [
  { value: 'local', label: localText('localNeedsNoCredentials') },
  { value: 'earth_engine', label: { en: 'earth_engine' } },
];

/** Groups of users who may use an account. */
export const AUDIENCES: readonly Choice<EoAccount['visibleTo']>[] = [
  { value: 'all', label: localText('allUsers') },
  { value: 'organization', label: localText('membersOfTheOrganisation') },
  { value: 'owner', label: localText('onlyTheOwner') },
];

const MOST_KEY = 20_000;

const KEY: AdminField = {
  name: 'credentials',
  label: localText('jsonKeyOfTheServiceAccount'),
  hint: localText('theKeyIsStoredEncrypted'),
  kind: 'file',
  most: MOST_KEY,
};

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
    name: 'platform',
    label: LABELS.platform,
    hint: localText('thisServiceComputesWithAccounts'),
    kind: 'select',
    choices: PLATFORMS,
    isRequired: true,
  },
  {
    name: 'service_account_email',
    label: LABELS.service_account_email,
    hint: localText('theClientEmailOfThe'),
    kind: 'email',
    most: 254,
  },
  {
    name: 'is_visible',
    label: LABELS.is_visible,
    hint: localText('listsOmitAHiddenAccount'),
    kind: 'checkbox',
  },
  {
    name: 'visible_to',
    label: LABELS.visible_to,
    hint: localText('otherUsersDoNotSeeTheAccount'),
    kind: 'select',
    choices: AUDIENCES,
    initial: 'all',
  },
  { name: 'owner', label: LABELS.owner, hint: localText('userNameOfTheOwner'), most: 150 },
  { name: 'organization', label: LABELS.organization, hint: localText('nameOfTheOrganisation'), most: 150 },
];

/** Fields of an account. If the service can store keys, the last field is the file of the key. */
export function fieldsOf(credentials: EoCredentials | undefined): readonly AdminField[] {
  return credentials?.keyOf === undefined ? FIELDS : [...FIELDS, KEY];
}

interface TypedAccount {
  readonly account: EoAccountChange & Pick<EoAccount, 'name' | 'accountEmail' | 'isVisible' | 'platform'>;
  readonly key: UploadedKey | undefined;
}

/** The account that a form describes. Throws `validation` for an invalid value. */
export async function accountOf(
  deps: Ports<'stores'>,
  texts: AdminTexts,
  credentials: EoCredentials | undefined,
): Promise<TypedAccount> {
  const { name = '', account_email: accountEmail = '', service_account_email: typedEmail = '' } = texts;
  const { value: platform } = PLATFORMS.find(({ value }) => value === texts['platform']) ?? { value: 'local' as const };
  const text = texts['credentials'] ?? '';
  const key = text === '' ? undefined : credentials?.keyOf?.(text);
  const account = {
    name: checkedName(name),
    accountEmail: checkedEmail('accountEmail', accountEmail),
    serviceAccountEmail: checkedEmail('serviceAccountEmail', typedEmail === '' ? (key?.email ?? '') : typedEmail),
    platform,
    isVisible: texts['is_visible'] === 'on',
    ...(await audienceOf(deps, texts)),
  };
  return { account, key };
}

async function audienceOf(
  deps: Ports<'stores'>,
  { visible_to: typed = '', owner = '', organization = '' }: AdminTexts,
): Promise<Pick<EoAccount, 'visibleTo' | 'ownerId' | 'organizationId'>> {
  const { value: visibleTo } = AUDIENCES.find(({ value }) => value === typed) ?? { value: 'all' as const };
  if (visibleTo === 'owner' && owner === '')
    throw invalidField('owner', 'is needed if only the owner uses the account; enter a user name.');
  if (visibleTo === 'organization' && organization === '')
    throw invalidField(
      'organization',
      'is needed if the members of an organisation use the account; enter the name of the organisation.',
    );
  return {
    visibleTo,
    ownerId: owner === '' ? null : (await userOfField(deps, 'owner', owner)).id,
    organizationId: await organizationNamed(deps, organization),
  };
}

function checkedEmail(field: string, typed: string): string | null {
  if (typed === '') return null;
  if (/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(typed)) return typed;
  throw invalidField(field, 'Enter a valid email address, like name@example.org.');
}

interface Compared {
  readonly key: UploadedKey | undefined;
  readonly credentials: EoCredentials | undefined;
}

/**
 * Throws `validation` if the address of the service account is missing, or is not the address in the credentials. An
 * account of the platform `local` needs no address.
 */
export async function checkServiceEmail(
  { platform, serviceAccountEmail: typed }: TypedAccount['account'],
  { key, credentials }: Compared,
): Promise<void> {
  const email = key?.email ?? (await credentials?.email());
  if (platform !== 'local' && (typed ?? '') === '')
    throw invalidField(
      'serviceAccountEmail',
      `is required for accounts of the platform ${platform}; use the client_email of the credentials file.`,
    );
  if (typed === null || typed === undefined || email?.toLowerCase() === typed.toLowerCase() || email === undefined)
    return;
  const [file, remedy] = key === undefined ? ['mounted credentials', 'mount'] : ['uploaded', 'upload'];
  throw invalidField(
    'serviceAccountEmail',
    `The ${file} file belongs to ${email}, but this field has ${typed}; use the e-mail address in the file, or ${remedy} the file of ${typed}.`,
  );
}
