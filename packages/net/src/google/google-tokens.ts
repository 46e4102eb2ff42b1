import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { NetError } from '../errors.ts';
import { originSet } from '../network/network.ts';
import type { Network } from '../network/network.ts';
import { type NetResponse, TransientFailure, transientFailure } from '../network/response.ts';
import { backoffMs, retry } from '../retry/index.ts';

/** A Google service account, as parsed from its JSON key. */
export interface ServiceAccount {
  readonly email: string;
  /** RSA key as a `KeyObject`, which shows no part of the key in logs and JSON. */
  readonly key: KeyObject;
  readonly keyId: string | undefined;
  readonly tokenUri: string;
  /** Id of the account's project; undefined if the key names no project. */
  readonly projectId: string | undefined;
}

/** Text that is equal only for the same e-mail, key and token endpoint. Contains no part of the key. */
export function accountIdentity({ email, key, tokenUri }: ServiceAccount): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return `${email} ${tokenUri} ${createHash('sha256').update(publicKey).digest('hex')}`;
}

/** Source of access tokens of a service account. */
export interface GoogleTokens {
  /**
   * Returns a token that is valid for at least `EARLY_MS`, or for half of its lifetime if that is shorter.
   * Concurrent callers share a request that no caller can abort. Throws `input_data` for a refused key,
   * `unavailable` after the last attempt.
   */
  readonly token: (signal?: AbortSignal) => Promise<string>;
  /** Removes a refused token from the cache; newer tokens stay. */
  readonly forget: (token: string) => void;
}

/** Options of `googleTokens`. */
export interface GoogleTokensOptions {
  readonly account: ServiceAccount;
  readonly scopes: readonly string[];
  /** Sends the requests. The endpoint must be https or an allowed origin. */
  readonly network: Network;
}

/** Endpoint for keys that name no endpoint. */
const TOKEN_URI = 'https://oauth2.googleapis.com/token';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTION_SECONDS = 300;
/** Tokens are replaced this long before their expiry, ms, so that no token expires during a request. */
const EARLY_MS = 300_000;
/** Lifetime of a token if the response states none, seconds. */
const LIFETIME_SECONDS = 3600;
const ATTEMPTS = 4;
/** Longest pause between attempts, ms. If `Retry-After` is longer, the request fails. */
const LONGEST_PAUSE_MS = 30_000;
const MOST_BYTES = 65_536;
/** Minimum length of the key, bits, as RS256 requires (RFC 7518, 3.3). */
const LEAST_BITS = 2048;

/**
 * Parses the JSON key of a service account. Throws `validation` with `details.reason` `no_key` or `no_rsa`; the error
 * contains no part of the key.
 */
export function serviceAccountOf(content: unknown): ServiceAccount {
  const members: Readonly<Record<string, unknown>> = isObject(content) ? content : {};
  const { type, client_email: email, private_key: pem, token_uri: tokenUri = TOKEN_URI } = members;
  const isKey = type === 'service_account' && isEmail(email) && typeof pem === 'string' && typeof tokenUri === 'string';
  if (!isKey)
    throw invalid('no_key', 'it is not the JSON key of a service account; create a key of type JSON and use its file');
  const [keyId, projectId] = [members['private_key_id'], members['project_id']].map(textOf);
  return { email, key: rsaKeyOf(pem), keyId, tokenUri, projectId };
}

/**
 * Creates the token source: a signed assertion (RFC 7523) is exchanged for a token, which is cached. Throws
 * `input_data` for an endpoint that is neither https nor allowed.
 */
export function googleTokens({ account, scopes, network }: GoogleTokensOptions): GoogleTokens {
  checkEndpoint(account.tokenUri, network);
  const { now } = network.tools;
  let cached: { readonly token: string; readonly untilMs: number } | undefined;
  let pending: Promise<string> | undefined;

  const renew = async (): Promise<string> => {
    const sentMs = now();
    const { token, seconds } = await requestToken({ account, scopes, network });
    cached = { token, untilMs: sentMs + seconds * 1000 - Math.min(EARLY_MS, seconds * 500) };
    return token;
  };

  return {
    token: async (signal) => {
      signal?.throwIfAborted();
      if (cached !== undefined && now() < cached.untilMs) return cached.token;
      pending ??= renew().finally(() => (pending = undefined));
      return signal === undefined ? pending : unlessAborted(pending, signal);
    },
    forget: (token) => {
      if (cached?.token === token) cached = undefined;
    },
  };
}

interface Granted {
  readonly token: string;
  readonly seconds: number;
}

function requestToken(options: GoogleTokensOptions): Promise<Granted> {
  const { network, account } = options;
  const { random, sleep, timeout } = network.tools;
  const { firstPauseMs, timeoutMs } = network.settings;
  const pauseAfter = (error: unknown, attempt: number): number | undefined => {
    if (!(error instanceof TransientFailure)) return undefined;
    const backoff = backoffMs(attempt, { firstPauseMs, longestPauseMs: LONGEST_PAUSE_MS, random });
    const pauseMs = error.retryAfterMs ?? backoff;
    if (attempt < ATTEMPTS && pauseMs <= LONGEST_PAUSE_MS) return pauseMs;
    throw silent(account.tokenUri, error.reason, attempt);
  };
  return retry(() => attemptOf(options, timeout(timeoutMs)), { pauseAfter, sleep });
}

async function attemptOf(options: GoogleTokensOptions, signal: AbortSignal): Promise<Granted> {
  const { account, network } = options;
  const body = new URLSearchParams({ grant_type: GRANT, assertion: await assertionOf(options) }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  let answer: NetResponse;
  let text: string;
  try {
    answer = await network.send({ href: account.tokenUri, method: 'POST', headers, body }, signal);
    text = new TextDecoder().decode(await answer.bytes(MOST_BYTES));
  } catch (error) {
    if (error instanceof NetError) throw error;
    // Only the code is reported, because the message may contain an IP address of a private network.
    throw new TransientFailure(signal.aborted ? 'time limit' : codeOf(error), undefined, error);
  }
  const failure = transientFailure(answer, network.tools.now());
  if (failure !== undefined) throw failure;
  return grantedOf(answer.status, text, hostOf(account.tokenUri));
}

/** Token of a response. Throws `TransientFailure` for a 200 without JSON (cut response), `input_data` for a refusal. */
function grantedOf(status: number, text: string, host: string): Granted {
  const content = parsed(text);
  if (status === 200 && content === undefined) throw new TransientFailure('HTTP 200 with a body that is not JSON');
  const { access_token: token, expires_in: seconds = LIFETIME_SECONDS, error } = content ?? {};
  if (status === 200 && typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) && typeof seconds === 'number')
    return { token, seconds };
  // Only the code is quoted, because the description may contain the secret assertion.
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? `${status}, ${error}` : String(status);
  const remedy = 'check that the service account and its key exist and are enabled, and that the clock is right';
  throw new NetError('input_data', `${host} gave no token (HTTP ${code}); ${remedy}`, {
    details: { reason: 'token_refused', code },
  });
}

function assertionOf({ account, scopes, network }: GoogleTokensOptions): Promise<string> {
  const { email, key, keyId, tokenUri } = account;
  const issued = Math.floor(network.tools.now() / 1000);
  return new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUri)
    .setIssuedAt(issued)
    .setExpirationTime(issued + ASSERTION_SECONDS)
    .sign(key);
}

/** Throws for an endpoint that is neither https nor allowed, because the assertion is a secret. */
function checkEndpoint(tokenUri: string, { settings }: Network): void {
  const url = URL.canParse(tokenUri) ? new URL(tokenUri) : undefined;
  if (url?.protocol === 'https:' || originSet(settings.allowedOrigins).has(url?.origin ?? '')) return;
  throw new NetError('input_data', 'the token_uri of the key is not an https address; download the key again', {
    details: { reason: 'token_address' },
  });
}

const invalid = (reason: string, message: string): NetError =>
  new NetError('validation', message, { details: { reason } });

function silent(tokenUri: string, reason: string, attempts: number): NetError {
  const host = hostOf(tokenUri);
  const message = `${host} gave no token after ${attempts} attempts (${reason}); check the network, or try again later`;
  return new NetError('unavailable', message, { details: { host, reason } });
}

function rsaKeyOf(pem: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // This error is ignored, because it may quote the key.
  }
  const { modulusLength = 0 } = key?.asymmetricKeyDetails ?? {};
  if (key?.asymmetricKeyType === 'rsa' && modulusLength >= LEAST_BITS) return key;
  throw invalid(
    'no_rsa',
    'its private_key is not an RSA key of at least 2048 bits in PEM format; create a new key of type JSON',
  );
}

/** Rejects if the signal aborts first; other callers still wait for the promise. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const hostOf = (href: string): string => (URL.canParse(href) ? new URL(href).host : 'the token endpoint');
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no response';

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return undefined;
  }
}
