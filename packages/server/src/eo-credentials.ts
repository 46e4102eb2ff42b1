import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { errorCode } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import {
  type CredentialCheck,
  credentialReason,
  type CredentialStep,
  type EoCredentials,
  type LocalText,
} from '@headwater/http-service';
import { Network, type Outgoing, originSet } from '@headwater/net';
import { type CredentialsFile, readCredentials } from './config/credentials.ts';
import type { CredentialsConfig } from './config/storage.ts';

const CHECKS: readonly CredentialCheck[] = ['file', 'json', 'email', 'token', 'bucket'];
const TOKEN_URI = 'https://oauth2.googleapis.com/token';
const SCOPES =
  'https://www.googleapis.com/auth/earthengine.readonly https://www.googleapis.com/auth/devstorage.read_only';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFETIME_SECONDS = 300;
/** Largest response that is read, bytes. */
const MOST_BYTES = 65_536;

/** Settings of the credentials file. */
export interface EoCredentialsOptions extends CredentialsConfig {
  /** Origins that may be without encryption or in a private network. */
  readonly allowedOrigins: readonly string[];
  /** Origin of the buckets. */
  readonly storage?: string;
}

/** Members of a service account's file that are used. */
interface ServiceAccount {
  readonly email: string;
  readonly key: KeyObject;
  readonly keyId: string | undefined;
  readonly tokenUri: string;
}

/** A check that failed; its reason has no part of the file, the assertion or the token. */
class FailedCheck extends Error {
  readonly detail: LocalText;

  constructor(...reason: Parameters<typeof credentialReason>) {
    const detail = credentialReason(...reason);
    super(detail.en);
    this.detail = detail;
  }
}

/** The credentials file of the configuration. It is read again at each use, because a key can be replaced while the server runs. */
export function eoCredentials(options: EoCredentialsOptions): EoCredentials {
  const network = new Network({ settings: { allowedOrigins: options.allowedOrigins } });
  return {
    email: async () => {
      const file = await readCredentials(options.path);
      return file.kind === 'read' ? emailOf(file.content) : undefined;
    },
    test: async (account, signal) => {
      const steps: CredentialStep[] = [];
      const parts = { options, network, signal };
      try {
        const content = await readFileOf(options.path);
        steps.push({ check: 'file', state: 'ok' });
        const service = serviceOf(content);
        steps.push({ check: 'json', state: 'ok' });
        checkEmail(service.email, account.serviceAccountEmail);
        steps.push({ check: 'email', state: 'ok' });
        const token = await tokenFor(service, parts);
        steps.push({ check: 'token', state: 'ok' });
        steps.push(await bucketStep(token, parts));
      } catch (error) {
        steps.push({ check: CHECKS[steps.length] ?? 'bucket', state: 'failing', detail: detailOf(error) });
      }
      return [...steps, ...CHECKS.slice(steps.length).map((check) => ({ check, state: 'off' }) as const)];
    },
  };
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

/** JSON of the file. A file that can be read, but is no JSON, fails at the next check. */
async function readFileOf(path: string): Promise<Exclude<CredentialsFile, { readonly kind: 'unreadable' }>> {
  const file = await readCredentials(path);
  if (file.kind !== 'unreadable') return file;
  throw new FailedCheck('credentialsUnreadable', { code: file.code, setting: 'GOOGLE_APPLICATION_CREDENTIALS' });
}

function serviceOf(file: Awaited<ReturnType<typeof readFileOf>>): ServiceAccount {
  if (file.kind === 'noJson') throw new FailedCheck('credentialsNoJson');
  const content = file.kind === 'read' && isObject(file.content) ? file.content : {};
  const { type, private_key: pem, private_key_id: keyId, token_uri: tokenUri = TOKEN_URI } = content;
  const email = emailOf(content);
  if (type !== 'service_account' || email === undefined || typeof pem !== 'string' || typeof tokenUri !== 'string')
    throw new FailedCheck('credentialsNoKey');
  return { email, key: keyOf(pem), keyId: typeof keyId === 'string' ? keyId : undefined, tokenUri };
}

function keyOf(pem: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The error of the platform may quote the key, so it is not passed on.
  }
  if (key?.asymmetricKeyType === 'rsa') return key;
  throw new FailedCheck('credentialsNoRsa');
}

function checkEmail(ofFile: string, ofAccount: string | null): void {
  if (ofAccount?.toLowerCase() === ofFile.toLowerCase()) return;
  const own = ofAccount ?? '—';
  throw new FailedCheck('credentialsOfOther', { ofFile, own });
}

/** Parts of a test. */
interface Parts {
  readonly options: EoCredentialsOptions;
  readonly network: Network;
  readonly signal: AbortSignal;
}

/** An assertion for a token, signed with the key of the file. */
function assertionOf({ email, key, keyId, tokenUri }: ServiceAccount): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: email, scope: SCOPES, aud: tokenUri, iat: now, exp: now + LIFETIME_SECONDS };
  const encoded = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${encoded}.${sign('sha256', Buffer.from(encoded), key).toString('base64url')}`;
}

async function tokenFor(service: ServiceAccount, parts: Parts): Promise<string> {
  const body = new URLSearchParams({ grant_type: GRANT, assertion: assertionOf(service) }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const { status, text } = await answerTo({ href: service.tokenUri, method: 'POST', headers, body }, parts);
  const { access_token: token, error } = parsed(text);
  if (status === 200 && typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? `${status}, ${error}` : String(status);
  throw new FailedCheck('noTokenGiven', { code });
}

async function bucketStep(token: string, parts: Parts): Promise<CredentialStep> {
  const { bucket, storage = 'https://storage.googleapis.com' } = parts.options;
  if (bucket === undefined || bucket === '')
    return {
      check: 'bucket',
      state: 'off',
      detail: { en: 'STORAGE_BUCKET_NAME is not set.', hi: 'STORAGE_BUCKET_NAME सेट नहीं है।' },
    };
  const href = `${storage}/storage/v1/b/${encodeURIComponent(bucket)}/o?maxResults=1&fields=kind`;
  const { status } = await answerTo({ href, headers: {}, authorization: `Bearer ${token}` }, parts);
  if (status === 200) return { check: 'bucket', state: 'ok' };
  throw new FailedCheck('bucketRefused', { bucket, status, setting: 'STORAGE_BUCKET_NAME' });
}

/** Status and text of a response. Throws `FailedCheck` if there is no response. */
async function answerTo(
  outgoing: Outgoing,
  { options, network, signal }: Parts,
): Promise<{ readonly status: number; readonly text: string }> {
  const url = URL.canParse(outgoing.href) ? new URL(outgoing.href) : undefined;
  const isAllowed = url?.protocol === 'https:' || originSet(options.allowedOrigins).has(url?.origin ?? '');
  if (url === undefined || !isAllowed) throw new FailedCheck('tokenAddressWrong');
  try {
    const answer = await network.send(outgoing, signal);
    return { status: answer.status, text: new TextDecoder().decode(await answer.bytes(MOST_BYTES)) };
  } catch (error) {
    throw noAnswer(url.host, signal.aborted ? 'time limit' : (errorCode(error) ?? 'unknown'));
  }
}

function noAnswer(host: string, reason: string): FailedCheck {
  if (reason === 'input_data') return new FailedCheck('tokenHostRefused', { host });
  return new FailedCheck('tokenHostSilent', { host, reason });
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
