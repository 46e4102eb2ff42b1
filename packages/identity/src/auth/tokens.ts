import { type Clock, DomainError } from '@headwater/core';
import { sha256 } from '@headwater/core/values';
import type * as Jose from 'jose';
import { z } from 'zod';
import { memoizeAsync } from '../memoize-async.ts';
import type { RefreshRecord } from '../ports/accounts.ts';
import { checkTokenSettings, type TokenSettings } from './token-settings.ts';

/** Purpose of a token: its `token_type` claim. A `reset` token belongs to a link for a new password. */
export type TokenType = 'access' | 'refresh' | 'reset';

/** Lifetime of a link for a new password, seconds: three days, even if sessions are shorter. */
export const RESET_TTL_SECONDS = 3 * 86_400;

/** The session of a token. All tokens that follow from one sign-in belong to one session. */
export interface Session {
  readonly userId: number;
  /** Id of the session, which is the family of its refresh tokens. */
  readonly familyId: string;
  /** `User.sessionVersion` when the token was issued. The user's present version is higher if the password has been changed since then. */
  readonly sessionVersion: number;
  /**
   * Time of the sign-in, whole seconds since 1970 UTC. The end of the session is computed from this time; no token is
   * valid after the end of its session.
   */
  readonly signedInAt: number;
}

/** Claims of a verified token. */
export interface TokenClaims extends Session {
  /** 32 hex digits. */
  readonly jti: string;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Only in a `reset` token: `addressDigest` of the e-mail address to which the token was mailed. */
  readonly addressDigest?: string;
}

/** Reason of a refused token; `reused`: the token was spent before, or its session has ended. */
export type TokenProblem = 'invalid' | 'expired' | 'wrong_type' | 'reused';

/** Outcome of a verification: claims, or the reason of the refusal. */
export type TokenVerdict =
  | { readonly ok: true; readonly claims: TokenClaims }
  | { readonly ok: false; readonly problem: TokenProblem };

/** A new refresh token and its record for the store. */
export interface IssuedRefresh {
  readonly token: string;
  readonly record: RefreshRecord;
}

/** Issues and verifies the service's JWTs: HS256 only, with issuer, audience, expiry and type. */
export interface Tokens {
  issueAccess(session: Session): Promise<string>;
  issueRefresh(session: Session): Promise<IssuedRefresh>;
  /**
   * Issues the token of a link for a new password. The link is mailed to `email`. The token is valid while the user's
   * `sessionVersion` and address are unchanged.
   */
  issueReset(session: Session, email: string): Promise<string>;
  verify(token: string, type: TokenType): Promise<TokenVerdict>;
}

// A larger `user_id` is refused, because user ids are int4 in the store.
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

/** Digest of an e-mail address in a `reset` token: 64 hex digits. */
export const addressDigest = (email: string): Promise<string> => sha256(email);

/** 32 hex digits of randomness (version-4 UUID without its dashes). */
export function newTokenId(): string {
  return globalThis.crypto.randomUUID().replaceAll('-', '');
}

/** Builds the token service; throws `validation` if the settings are unsafe (short or constant secret, bad lifetimes). */
export function createTokens(settings: TokenSettings, clock: Clock): Tokens {
  const checked = checkTokenSettings(settings);
  // The key is imported only once, because importing the raw bytes takes a fifth of the time of a verification.
  const key = memoizeAsync(() => importKey(checked.secret));
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
    verify: async (token, type) => verify({ ...checked, key: await key() }, clock, { token, type }),
  };
}

interface Signed {
  readonly session: Session;
  readonly type: TokenType;
  /** Further claims, which only this type of token has. */
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
  // A link for a new password belongs to no session.
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

/**
 * Loads jose only for the first token, because loading its 46 modules takes a tenth of the start time of a
 * service.
 */
const loadJose = (): Promise<typeof Jose> => import('jose');

function importKey(secret: Uint8Array): Promise<Jose.CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return globalThis.crypto.subtle.importKey('raw', Uint8Array.from(secret), algorithm, false, ['verify']);
}

async function verify(
  settings: TokenSettings & { readonly key: Jose.CryptoKey },
  clock: Clock,
  { token, type }: { readonly token: string; readonly type: TokenType },
): Promise<TokenVerdict> {
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
    if (payload['token_type'] !== type) return { ok: false, problem: 'wrong_type' };
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) return { ok: false, problem: 'invalid' };
    const { user_id: userId, session_version: sessionVersion, sid: familyId, auth_time: signedInAt } = claims.data;
    // If the lifetime of sessions is shortened, the shorter lifetime also applies to tokens that were issued before.
    const sessionIsOver = signedInAt + settings.sessionTtlSeconds <= secondsOf(clock);
    if (type !== 'reset' && sessionIsOver) return { ok: false, problem: 'expired' };
    const { jti, exp, address_digest: digest } = claims.data;
    const session = { userId, familyId, sessionVersion, signedInAt };
    const bound = digest === undefined ? {} : { addressDigest: digest };
    return { ok: true, claims: { ...session, jti, expiresAt: isoOf(exp), ...bound } };
  } catch (error) {
    return { ok: false, problem: isExpiry(error) ? 'expired' : 'invalid' };
  }
}

// The error is recognised by its code, because `instanceof` fails if two copies of jose are installed.
function isExpiry(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
}

/** Whole seconds since 1970 UTC, as in JWTs. */
export function secondsOf(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000);
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

const PROBLEM_TEXTS: Readonly<Record<TokenProblem, string>> = {
  invalid: 'is not valid, or was not issued by this service',
  expired: 'has expired',
  wrong_type: 'is of another type',
  reused: 'was used before, or its session has ended',
};

/** A `token_not_valid` error; `details` has the token type and the problem. */
export function tokenError(token: TokenType, problem: TokenProblem): DomainError {
  return new DomainError('token_not_valid', tokenProblemText(token, problem), { details: { token, problem } });
}

/** The problem in plain words, for logs. */
export function tokenProblemText(token: TokenType, problem: TokenProblem): string {
  return `The ${token} token ${PROBLEM_TEXTS[problem]}.`;
}
