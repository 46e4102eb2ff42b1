import { type Clock, DomainError } from '@headwater/core';
import { createRecentValues, ownText } from '@headwater/core/caching';
import { sha256 } from '@headwater/core/values';
import type * as Jose from 'jose';
import { z } from 'zod';
import { memoizeAsync } from '../memoize-async.ts';
import type { RefreshRecord } from '../ports/accounts.ts';
import { checkTokenSettings, type TokenSettings } from './token-settings.ts';

/** Claim `token_type`; a `reset` token belongs to a link for a new password. */
export type TokenType = 'access' | 'refresh' | 'reset';

/** Lifetime of a link for a new password, seconds: three days. */
export const RESET_TTL_SECONDS = 3 * 86_400;

/** Session of a user, to which all tokens since one sign-in belong. */
export interface Session {
  readonly userId: number;
  /** Id of the session: the family of its refresh tokens. */
  readonly familyId: string;
  /** `User.sessionVersion` when the token was issued. A password change raises the user's version. */
  readonly sessionVersion: number;
  /** Time of the sign-in, whole seconds since 1970 UTC. */
  readonly signedInAt: number;
}

/** Claims of a verified token. */
export interface TokenClaims extends Session {
  readonly jti: string;
  /** Time of expiry, ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Only in a `reset` token: `addressDigest` of the e-mail address. */
  readonly addressDigest?: string;
}

/** Reason of a refusal; `reused`: the token was spent, or its session has ended. */
export type TokenProblem = 'invalid' | 'expired' | 'wrong_type' | 'reused';

/** Claims, or the reason of a refusal. */
export type TokenVerdict =
  | { readonly ok: true; readonly claims: TokenClaims }
  | { readonly ok: false; readonly problem: TokenProblem };

/** New refresh token, and its record for the store. */
export interface IssuedRefresh {
  readonly token: string;
  readonly record: RefreshRecord;
}

/** Issues and verifies JWTs: HS256 only, with issuer, audience, expiry and type. */
export interface Tokens {
  issueAccess(session: Session): Promise<string>;
  issueRefresh(session: Session): Promise<IssuedRefresh>;
  /** Issues the token of a link for a new password, valid for the present `sessionVersion` and `email`. */
  issueReset(session: Session, email: string): Promise<string>;
  /**
   * Verifies signature, claims and expiry. The signature of an access token is verified only once while the token is
   * cached.
   */
  verify(token: string, type: TokenType): Promise<TokenVerdict>;
}

// Claims of a token. `user_id` is at most the maximum of int4, the type of user ids in the store.
const claimsSchema = z.object({
  user_id: z.int().min(1).max(2_147_483_647),
  session_version: z.int().min(0),
  sid: z.string().regex(/^[\w-]{1,64}$/),
  auth_time: z.int().min(0),
  jti: z.string().regex(/^[0-9a-f]{32}$/),
  exp: z.int(),
  address_digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** Digest of an e-mail address: 64 hex digits. */
export const addressDigest = (email: string): Promise<string> => sha256(email);

/** 32 random hex digits (version-4 UUID without dashes). */
export function newTokenId(): string {
  return globalThis.crypto.randomUUID().replaceAll('-', '');
}

/** Number of access tokens in one half of the cache; both halves take about 4 MB. */
const CACHED_TOKENS = 2000;

/** Creates the token service. Throws `validation` for unsafe settings. */
export function createTokens(settings: TokenSettings, clock: Clock): Tokens {
  const checked = checkTokenSettings(settings);
  // Imported only once, because importing takes a fifth of the time of a verification.
  const key = memoizeAsync(() => importKey(checked.secret));
  // Only valid access tokens are cached, because clients send them often (decision 263).
  const recent = createRecentValues<VerifiedClaims>(CACHED_TOKENS);
  return {
    issueAccess: async (session) => (await sign(checked, clock, { session, type: 'access' })).token,
    issueRefresh: async (session) => {
      const { token, jti, exp } = await sign(checked, clock, { session, type: 'refresh' });
      const { userId, familyId } = session;
      return { token, record: { jti, familyId, userId, expiresAt: isoOf(exp) } };
    },
    issueReset: async (session, email) => {
      const more = { address_digest: await addressDigest(email) };
      return (await sign(checked, clock, { session, type: 'reset', more })).token;
    },
    verify: async (token, type) => {
      const known = type === 'access' ? recent.get(token) : undefined;
      if (known !== undefined) return verdictOf(known, clock);
      const verified = await verifySigned({ ...checked, key: await key() }, clock, { token, type });
      if (typeof verified === 'string') return { ok: false, problem: verified };
      const verdict = verdictOf(verified, clock);
      if (verdict.ok && type === 'access' && isCanonical(token)) recent.set(ownText(token), verified);
      return verdict;
    },
  };
}

/** Longest cached token, characters; tokens of this service have about 400. */
const LONGEST_CACHED = 1000;

/**
 * True for the only spelling of a token that is cached. A signature of 32 bytes has other spellings in base64url, with
 * padding or with other unused bits in its last character; each would be a further entry.
 */
const isCanonical = (token: string): boolean =>
  token.length <= LONGEST_CACHED && /\.[\w-]{42}[AEIMQUYcgkosw048]$/.test(token);

/** Claims whose signature and type were verified. */
interface VerifiedClaims {
  readonly claims: TokenClaims;
  /** End of the token and of its session, seconds since 1970 UTC. */
  readonly until: number;
}

/** Checks the end of a token, which depends on the present time. */
function verdictOf({ claims, until }: VerifiedClaims, clock: Clock): TokenVerdict {
  return until <= secondsOf(clock) ? { ok: false, problem: 'expired' } : { ok: true, claims };
}

interface Signed {
  readonly session: Session;
  readonly type: TokenType;
  readonly more?: Readonly<Record<string, string>>;
}

async function sign(
  settings: TokenSettings,
  clock: Clock,
  { session, type, more = {} }: Signed,
): Promise<{ token: string; jti: string; exp: number }> {
  const { userId, familyId, sessionVersion, signedInAt } = session;
  const issuedAt = secondsOf(clock);
  const until = issuedAt + lifetimeOf(settings, type);
  // A link for a new password belongs to no session, so the end of the session does not limit it.
  const exp = type === 'reset' ? until : Math.min(until, signedInAt + settings.sessionTtlSeconds);
  const jti = newTokenId();
  const claims = { user_id: userId, session_version: sessionVersion, sid: familyId, auth_time: signedInAt };
  const { SignJWT } = await loadJose();
  const token = await new SignJWT({ token_type: type, ...claims, ...more })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(settings.issuer)
    .setAudience(settings.audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(exp)
    .setJti(jti)
    .sign(settings.secret);
  return { token, jti, exp };
}

function lifetimeOf({ accessTtlSeconds, refreshTtlSeconds }: TokenSettings, type: TokenType): number {
  if (type === 'reset') return RESET_TTL_SECONDS;
  return type === 'access' ? accessTtlSeconds : refreshTtlSeconds;
}

/** Loads jose with the first token, because loading takes a tenth of a service's start time. */
const loadJose = (): Promise<typeof Jose> => import('jose');

function importKey(secret: Uint8Array): Promise<Jose.CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return globalThis.crypto.subtle.importKey('raw', Uint8Array.from(secret), algorithm, false, ['verify']);
}

async function verifySigned(
  settings: TokenSettings & { readonly key: Jose.CryptoKey },
  clock: Clock,
  { token, type }: { readonly token: string; readonly type: TokenType },
): Promise<VerifiedClaims | TokenProblem> {
  try {
    const { jwtVerify } = await loadJose();
    const { payload } = await jwtVerify(token, settings.key, {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer: settings.issuer,
      audience: settings.audience,
      currentDate: clock.now(),
      requiredClaims: ['exp', 'iat', 'jti', 'user_id', 'token_type'],
    });
    if (payload['token_type'] !== type) return 'wrong_type';
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) return 'invalid';
    const { user_id: userId, session_version: sessionVersion, sid: familyId, auth_time: signedInAt } = claims.data;
    const { jti, exp, address_digest: digest } = claims.data;
    const session = { userId, familyId, sessionVersion, signedInAt };
    const bound = digest === undefined ? {} : { addressDigest: digest };
    // A shortened lifetime of sessions also applies to earlier tokens.
    const sessionEnd = type === 'reset' ? exp : signedInAt + settings.sessionTtlSeconds;
    return { claims: { ...session, jti, expiresAt: isoOf(exp), ...bound }, until: Math.min(exp, sessionEnd) };
  } catch (error) {
    return isExpiry(error) ? 'expired' : 'invalid';
  }
}

// True for the error of an expired token, by its code, because `instanceof` fails with two copies of jose.
function isExpiry(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
}

/** Whole seconds since 1970 UTC. */
export function secondsOf(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000);
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

const PROBLEM_TEXTS: Readonly<Record<TokenProblem, string>> = {
  invalid: 'is not valid, or was not issued by this service',
  expired: 'has expired',
  wrong_type: 'has the wrong type',
  reused: 'was used before, or its session has ended',
};

/** Error `token_not_valid`, with the token type and the problem in `details`. */
export function tokenError(token: TokenType, problem: TokenProblem): DomainError {
  return new DomainError('token_not_valid', tokenProblemText(token, problem), { details: { token, problem } });
}

/** Problem in plain words, for the messages of errors. */
export function tokenProblemText(token: TokenType, problem: TokenProblem): string {
  return `The ${token} token ${PROBLEM_TEXTS[problem]}.`;
}
