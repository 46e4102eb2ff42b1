import { type EoAccount, type EoAccountStore, errorCode, invalidField, isDomainError } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import {
  type CredentialCheck,
  credentialReason,
  type CredentialStep,
  type EoCredentials,
  type LocalText,
  type UploadedKey,
} from '@headwater/http-service';
import type { Network } from '@headwater/net';
import { googleTokens, type ServiceAccount, serviceAccountOf } from '@headwater/net/google';
import { readCredentials } from './config/credentials.ts';
import type { CredentialsConfig } from './config/storage.ts';
import { textSealer } from './sealed-key.ts';

const CHECKS: readonly CredentialCheck[] = ['file', 'json', 'email', 'token', 'bucket'];
const SCOPES = [
  'https://www.googleapis.com/auth/earthengine.readonly',
  'https://www.googleapis.com/auth/devstorage.read_only',
];
const SETTING = 'GOOGLE_APPLICATION_CREDENTIALS';

/** Settings of the credentials of accounts. */
export interface EoCredentialsOptions {
  readonly mounted: CredentialsConfig | undefined;
  /** Secret of the deployment, from which the key of stored credentials is derived. */
  readonly secret: Uint8Array;
  readonly eoAccounts: Pick<EoAccountStore, 'sealedKey'>;
  readonly network: Network;
  readonly storage?: string;
}

/** Credentials of accounts, and their service accounts for requests. */
export interface ServerCredentials extends EoCredentials {
  readonly keyOf: (text: string) => UploadedKey;
  readonly problemOf: (account: EoAccount) => Promise<string | undefined>;
  /** Service account of an Earth-observation account. Throws an error with the reason if it cannot be used. */
  readonly serviceOf: (account: EoAccount) => Promise<ServiceAccount>;
}

/**
 * A failed check of credentials. Its reason contains no part of the file, of the signed token request, or of the token.
 */
class FailedCheck extends Error {
  readonly check: CredentialCheck;
  readonly detail: LocalText;

  constructor(check: CredentialCheck, ...reason: Parameters<typeof credentialReason>) {
    const detail = credentialReason(...reason);
    super(detail.en);
    this.check = check;
    this.detail = detail;
  }
}

/**
 * Credentials of accounts: the encrypted key of the account, otherwise the mounted file. Both are read at each use,
 * because they may be replaced.
 */
export function eoCredentials(options: EoCredentialsOptions): ServerCredentials {
  const { mounted, eoAccounts, network } = options;
  const sealer = textSealer(options.secret);

  const textOf = async (account: EoAccount): Promise<unknown> => {
    const sealed = account.hasKey ? await eoAccounts.sealedKey(account.id) : null;
    if (sealed === null) return await mountedContent(mounted);
    const opened = sealer.open(purposeOf(account.id), sealed);
    if (opened.kind === 'open') return parsed(opened.text);
    throw opened.kind === 'otherKey'
      ? new FailedCheck('file', 'credentialsOtherKey', { setting: 'JWT_SECRET' })
      : new FailedCheck('file', 'credentialsDamaged');
  };
  const serviceOf = async (account: EoAccount): Promise<ServiceAccount> => {
    const service = serviceIn(await textOf(account));
    checkEmail(service.email, account.serviceAccountEmail);
    checkTokenAddress(service, network);
    return service;
  };
  return {
    isMounted: mounted !== undefined,
    serviceOf,
    keyOf: (text) => uploadedKey(text, network, (id) => sealer.seal(purposeOf(id), text)),
    email: async () => {
      const file = mounted === undefined ? undefined : await readCredentials(mounted.path);
      return file?.kind === 'read' ? emailOf(file.content) : undefined;
    },
    problemOf: async (account) => {
      try {
        await serviceOf(account);
        return undefined;
      } catch (error) {
        return `cannot be used: ${detailOf(error).en}`;
      }
    },
    test: async (account, signal) => {
      try {
        const service = await serviceOf(account);
        const token = await tokenOf(service, { network, signal });
        return [...passed('token'), await bucketStep(token, { options, network, signal })];
      } catch (error) {
        return stepsUpTo(error instanceof FailedCheck ? error.check : 'token', detailOf(error));
      }
    },
  };
}

/**
 * Purpose of an encrypted key. It contains the account's id, so that the key cannot be decrypted for another account.
 */
const purposeOf = (accountId: number): string => `eo account ${accountId}`;

const passed = (last: CredentialCheck): CredentialStep[] =>
  CHECKS.slice(0, CHECKS.indexOf(last) + 1).map((check) => ({ check, state: 'ok' }));

function stepsUpTo(failed: CredentialCheck, detail: LocalText): readonly CredentialStep[] {
  const index = CHECKS.indexOf(failed);
  return CHECKS.map((check, at) => {
    if (at === index) return { check, state: 'failing', detail };
    return { check, state: at < index ? 'ok' : 'off' };
  });
}

function detailOf(error: unknown): LocalText {
  if (error instanceof FailedCheck) return error.detail;
  const code = errorCode(error) ?? 'unknown';
  return credentialReason('credentialsOtherFailure', { code });
}

function emailOf(content: unknown): string | undefined {
  const email = isObject(content) ? content['client_email'] : undefined;
  return typeof email === 'string' && email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined;
}

/**
 * Content of the mounted file; `{}` if it is too large. Throws `FailedCheck` if no file is mounted, or if the file
 * cannot be read or is not JSON.
 */
async function mountedContent(mounted: CredentialsConfig | undefined): Promise<unknown> {
  if (mounted === undefined) throw new FailedCheck('file', 'credentialsNone', { setting: SETTING });
  const file = await readCredentials(mounted.path);
  if (file.kind === 'unreadable')
    throw new FailedCheck('file', 'credentialsUnreadable', { code: file.code, setting: SETTING });
  if (file.kind === 'noJson') throw new FailedCheck('json', 'credentialsNoJson');
  return file.kind === 'read' ? file.content : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FailedCheck('json', 'credentialsNoJson');
  }
}

/**
 * Valid id of a project. It is checked, because it is a part of request paths. Ids of old projects begin with a domain.
 */
const PROJECT = /^(?:[a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/;

function serviceIn(content: unknown): ServiceAccount {
  const service = keyIn(content);
  if (PROJECT.test(service.projectId ?? '')) return service;
  throw new FailedCheck('json', 'credentialsNoProject');
}

function keyIn(content: unknown): ServiceAccount {
  try {
    return serviceAccountOf(content);
  } catch (error) {
    const lacksKey = !isDomainError(error) || error.details['reason'] !== 'no_rsa';
    throw new FailedCheck('json', lacksKey ? 'credentialsNoKey' : 'credentialsNoRsa');
  }
}

/** Throws `FailedCheck` if tokens cannot be requested safely from the address of the key. */
function checkTokenAddress(account: ServiceAccount, network: Network): void {
  try {
    googleTokens({ account, scopes: SCOPES, network });
  } catch {
    throw new FailedCheck('token', 'tokenAddressWrong');
  }
}

/** Throws `validation` for a text that is not the JSON key of a service account. */
function uploadedKey(text: string, network: Network, sealFor: UploadedKey['sealFor']): UploadedKey {
  try {
    const service = serviceIn(parsed(text));
    checkTokenAddress(service, network);
    return { email: service.email, sealFor };
  } catch (error) {
    throw invalidField('credentials', detailOf(error).en);
  }
}

function checkEmail(ofFile: string, ofAccount: string | null): void {
  if (ofAccount?.toLowerCase() === ofFile.toLowerCase()) return;
  const own = ofAccount ?? '—';
  throw new FailedCheck('email', 'credentialsOfOther', { ofFile, own });
}

interface Sending {
  readonly network: Network;
  readonly signal: AbortSignal;
}

/** Requests a new token, because the test must reach the endpoint of tokens. */
async function tokenOf(account: ServiceAccount, { network, signal }: Sending): Promise<string> {
  try {
    return await googleTokens({ account, scopes: SCOPES, network }).token(signal);
  } catch (error) {
    const details: Readonly<Record<string, unknown>> = isDomainError(error) ? error.details : {};
    const host = URL.canParse(account.tokenUri) ? new URL(account.tokenUri).host : '';
    if (details['reason'] === 'token_refused')
      throw new FailedCheck('token', 'noTokenGiven', { code: String(details['code']) });
    if (errorCode(error) === 'input_data') throw new FailedCheck('token', 'tokenHostRefused', { host });
    const cause = details['reason'];
    const reason = signal.aborted ? 'time limit' : typeof cause === 'string' ? cause : (errorCode(error) ?? 'unknown');
    throw new FailedCheck('token', 'tokenHostSilent', { host, reason });
  }
}

async function bucketStep(
  token: string,
  { options, network, signal }: Sending & { readonly options: EoCredentialsOptions },
): Promise<CredentialStep> {
  const { mounted, storage = 'https://storage.googleapis.com' } = options;
  const bucket = mounted?.bucket;
  if (bucket === undefined || bucket === '')
    return {
      check: 'bucket',
      state: 'off',
      detail: { en: 'STORAGE_BUCKET_NAME is not set.', hi: 'STORAGE_BUCKET_NAME सेट नहीं है।' },
    };
  const href = `${storage}/storage/v1/b/${encodeURIComponent(bucket)}/o?maxResults=1&fields=kind`;
  const status = await statusOf(href, token, { network, signal });
  if (status === 200) return { check: 'bucket', state: 'ok' };
  throw new FailedCheck('bucket', 'bucketRefused', { bucket, status, setting: 'STORAGE_BUCKET_NAME' });
}

/** Status of the response to a GET. Throws `FailedCheck` if there is no response. */
async function statusOf(href: string, token: string, { network, signal }: Sending): Promise<number> {
  try {
    const answer = await network.send({ href, headers: {}, authorization: `Bearer ${token}` }, signal);
    answer.discard();
    return answer.status;
  } catch (error) {
    const reason = signal.aborted ? 'time limit' : (errorCode(error) ?? 'unknown');
    throw new FailedCheck('bucket', 'tokenHostSilent', { host: new URL(href).host, reason });
  }
}
