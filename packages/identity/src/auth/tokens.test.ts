import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { createManualTime } from '@headwater/core/testing';
import { TOKEN_DEFAULTS, type TokenSettings } from './token-settings.ts';
import { addressDigest, createTokens, RESET_TTL_SECONDS, type Session, type TokenProblem } from './tokens.ts';

const secret = new TextEncoder().encode('0123456789abcdef0123456789abcdef');
const settings: TokenSettings = { ...TOKEN_DEFAULTS, secret };
const DAY_MS = 86_400_000;
const session: Session = {
  userId: 7,
  familyId: 'family',
  sessionVersion: 0,
  signedInAt: Date.parse('2026-01-01T00:00:00Z') / 1000,
};
const ok = (userId: number): unknown => ({ ok: true, claims: expect.objectContaining({ userId }) });
const refused = (problem: TokenProblem): unknown => ({ ok: false, problem });

async function forged(
  claims: Readonly<Record<string, unknown>>,
  { key = secret, alg = 'HS256' }: { readonly key?: Uint8Array; readonly alg?: string } = {},
): Promise<string> {
  const exp = Date.parse('2026-06-01T00:00:00Z') / 1000;
  const iat = Date.parse('2026-01-01T00:00:00Z') / 1000;
  const right = {
    token_type: 'access',
    user_id: 7,
    session_version: 0,
    sid: 'family',
    auth_time: iat,
    jti: 'ab'.repeat(16),
    iat,
    exp,
    iss: 'headwater',
    aud: 'headwater-api',
  };
  const payload = Object.fromEntries(
    Object.entries({ ...right, ...claims }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);
}

describe('createTokens', () => {
  it('writes access tokens with the header and claims of the live system, and with the claims of the session', async () => {
    const time = createManualTime();
    const token = await createTokens(settings, time).issueAccess(session);
    const issuedAt = time.now().getTime() / 1000;
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decodeJwt(token)).toEqual({
      token_type: 'access',
      user_id: 7,
      session_version: 0,
      sid: 'family',
      auth_time: issuedAt,
      iss: 'headwater',
      aud: 'headwater-api',
      iat: issuedAt,
      exp: issuedAt + 90 * 86_400,
      jti: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('distinguishes access tokens from refresh tokens', async () => {
    const tokens = createTokens(settings, createManualTime());
    const access = await tokens.issueAccess(session);
    const { token: refresh, record } = await tokens.issueRefresh(session);
    expect(await tokens.verify(access, 'access')).toEqual(ok(7));
    expect(await tokens.verify(refresh, 'refresh')).toEqual({
      ok: true,
      claims: { ...session, jti: record.jti, expiresAt: record.expiresAt },
    });
    expect(record).toEqual({ jti: record.jti, familyId: 'family', userId: 7, expiresAt: '2026-05-01T00:00:00.000Z' });
    expect(await tokens.verify(refresh, 'access')).toEqual(refused('wrong_type'));
    expect(await tokens.verify(access, 'refresh')).toEqual(refused('wrong_type'));
  });

  it('lets tokens expire by the time of its clock, exact to the second', async () => {
    const time = createManualTime();
    const tokens = createTokens({ ...settings, accessTtlSeconds: 60, refreshTtlSeconds: 120 }, time);
    const access = await tokens.issueAccess(session);
    await time.advance(59_000);
    expect(await tokens.verify(access, 'access')).toEqual(ok(7));
    await time.advance(1000);
    expect(await tokens.verify(access, 'access')).toEqual(refused('expired'));
  });

  it('ends a token together with its session, even if the lifetime of sessions was shortened after the token was issued', async () => {
    const time = createManualTime();
    const short = { ...settings, accessTtlSeconds: 60, refreshTtlSeconds: 120 };
    const tokens = createTokens({ ...short, sessionTtlSeconds: 200 }, time);
    await time.advance(150_000);
    const { token: refresh, record } = await tokens.issueRefresh(session);
    expect(record.expiresAt).toBe('2026-01-01T00:03:20.000Z');
    const access = await tokens.issueAccess(session);
    expect(decodeJwt(access).exp).toBe(session.signedInAt + 200);
    const shortened = createTokens({ ...short, sessionTtlSeconds: 150 }, time);
    expect(await shortened.verify(access, 'access')).toEqual(refused('expired'));
    expect(await shortened.verify(refresh, 'refresh')).toEqual(refused('expired'));
    expect(await tokens.verify(refresh, 'refresh')).toEqual(ok(7));
  });

  it('issues a reset token with a digest of the email address; the token is valid for three days, even if sessions are shorter', async () => {
    const time = createManualTime();
    const short = { accessTtlSeconds: 60, refreshTtlSeconds: 120, sessionTtlSeconds: 200 };
    const tokens = createTokens({ ...settings, ...short }, time);
    const reset = await tokens.issueReset(session, 'asha@example.org');
    expect(reset).not.toContain('asha');
    await time.advance(RESET_TTL_SECONDS * 1000 - 1000);
    const verdict = await tokens.verify(reset, 'reset');
    expect(verdict).toEqual(ok(7));
    const digest = verdict.ok ? verdict.claims.addressDigest : undefined;
    expect(digest).toBe(await addressDigest('asha@example.org'));
    expect(digest).not.toBe(await addressDigest('badi@example.org'));
    await time.advance(1000);
    expect(await tokens.verify(reset, 'reset')).toEqual(refused('expired'));
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['no session', { sid: undefined }],
    ['a session id in the wrong format', { sid: 'a b' }],
    ['no time of the sign-in', { auth_time: undefined }],
    ['another issuer', { iss: 'elsewhere' }],
    ['another audience', { aud: 'elsewhere' }],
    ['no expiry', { exp: undefined }],
    ['no jti', { jti: undefined }],
    ['a jti in the wrong format', { jti: 'x' }],
    ['no type', { token_type: undefined }],
    ['a user id as text', { user_id: '7' }],
    ['a user id beyond int4', { user_id: 2 ** 31 }],
    ['a user id of 0', { user_id: 0 }],
    ['a start of validity in the future', { nbf: Date.parse('2026-02-01T00:00:00Z') / 1000 }],
  ])('refuses a token with %s', async (_name, claims) => {
    const tokens = createTokens(settings, createManualTime());
    expect(await tokens.verify(await forged({}), 'access')).toEqual(ok(7));
    expect(await tokens.verify(await forged(claims), 'access')).toEqual(refused('invalid'));
  });

  it('refuses a token with another key, another algorithm or no signature, and a broken text', async () => {
    const tokens = createTokens(settings, createManualTime());
    const other = new TextEncoder().encode('another-key-another-key-another-key-another-key-another-key-1234');
    const [header = '', payload = '', signature = ''] = (await forged({})).split('.');
    const none = btoa(JSON.stringify({ alg: 'none', typ: 'JWT' })).replaceAll('=', '');
    const bad = [
      await forged({}, { key: other }),
      await forged({}, { alg: 'HS512', key: other }),
      `${none}.${payload}.`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}`,
      '',
      'a.b.c',
      '\0',
    ];
    for (const token of bad) expect(await tokens.verify(token, 'access')).toEqual(refused('invalid'));
  });

  it('verifies the signature of an access token once; its expiry and type are checked in each call', async () => {
    const time = createManualTime();
    const tokens = createTokens(settings, time);
    const token = await tokens.issueAccess(session);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const altered = [header, payload, signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`];
    const verifySignature = vi.spyOn(globalThis.crypto.subtle, 'verify');
    try {
      for (let call = 0; call < 3; call += 1) expect(await tokens.verify(token, 'access')).toEqual(ok(7));
      expect(verifySignature).toHaveBeenCalledTimes(1);
      expect(await tokens.verify(altered.join('.'), 'access')).toEqual(refused('invalid'));
      expect(await tokens.verify(token, 'refresh')).toEqual(refused('wrong_type'));
      const { token: refresh } = await tokens.issueRefresh(session);
      for (let call = 0; call < 2; call += 1)
        expect(await tokens.verify(refresh, 'access')).toEqual(refused('wrong_type'));
      verifySignature.mockClear();
      await time.advance(90 * DAY_MS - 1000);
      expect(await tokens.verify(token, 'access')).toEqual(ok(7));
      await time.advance(1000);
      expect(await tokens.verify(token, 'access')).toEqual(refused('expired'));
      expect(verifySignature).not.toHaveBeenCalled();
    } finally {
      verifySignature.mockRestore();
    }
  });

  it('caches only one spelling of a token', async () => {
    const tokens = createTokens(settings, createManualTime());
    const token = await tokens.issueAccess(session);
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // The two lowest bits of the last digit are not used.
    const last = digits.indexOf(token.at(-1) ?? '');
    const others = [`${token}=`, ...[1, 2, 3].map((bits) => token.slice(0, -1) + digits[last + bits])];
    const verifySignature = vi.spyOn(globalThis.crypto.subtle, 'verify');
    try {
      for (const other of [...others, ...others]) expect(await tokens.verify(other, 'access')).toEqual(ok(7));
      expect(verifySignature).toHaveBeenCalledTimes(2 * others.length);
      for (let call = 0; call < 2; call += 1) expect(await tokens.verify(token, 'access')).toEqual(ok(7));
      expect(verifySignature).toHaveBeenCalledTimes(2 * others.length + 1);
    } finally {
      verifySignature.mockRestore();
    }
  });

  it('drops verified tokens that were not used lately', async () => {
    const tokens = createTokens(settings, createManualTime());
    const [unused, used] = [await tokens.issueAccess(session), await tokens.issueAccess(session)];
    await tokens.verify(unused, 'access');
    for (let count = 0; count < 4000; count += 1) {
      if (count % 1000 === 0) await tokens.verify(used, 'access');
      await tokens.verify(await tokens.issueAccess(session), 'access');
    }
    const verifySignature = vi.spyOn(globalThis.crypto.subtle, 'verify');
    try {
      expect(await tokens.verify(used, 'access')).toEqual(ok(7));
      expect(verifySignature).not.toHaveBeenCalled();
      expect(await tokens.verify(unused, 'access')).toEqual(ok(7));
      expect(verifySignature).toHaveBeenCalledTimes(1);
    } finally {
      verifySignature.mockRestore();
    }
  });

  it('accepts only one algorithm: a token that is signed with HS512 and the right key is refused', async () => {
    const long = new Uint8Array(64).map((_, index) => index);
    const tokens = createTokens({ ...settings, secret: long }, createManualTime());
    expect(await tokens.verify(await forged({}, { key: long }), 'access')).toEqual(ok(7));
    expect(await tokens.verify(await forged({}, { key: long, alg: 'HS512' }), 'access')).toEqual(refused('invalid'));
  });

  it('gives every token a different id', async () => {
    const tokens = createTokens(settings, createManualTime());
    const issued = await Promise.all(Array.from({ length: 50 }, () => tokens.issueRefresh(session)));
    expect(new Set(issued.map(({ record }) => record.jti)).size).toBe(50);
  });

  it.each<[string, Partial<TokenSettings>]>([
    ['secret', { secret: new Uint8Array() }],
    ['secret', { secret: new TextEncoder().encode('0123456789abcdef0123456789abcde') }],
    ['secret', { secret: new Uint8Array(32) }],
    ['issuer', { issuer: '' }],
    ['audience', { audience: '' }],
    ['accessTtlSeconds', { accessTtlSeconds: 0 }],
    ['accessTtlSeconds', { accessTtlSeconds: Number.NaN }],
    ['refreshTtlSeconds', { refreshTtlSeconds: 1.5 }],
    ['refreshTtlSeconds', { accessTtlSeconds: 100, refreshTtlSeconds: 99 }],
    ['sessionTtlSeconds', { sessionTtlSeconds: Number.NaN }],
    ['sessionTtlSeconds', { refreshTtlSeconds: 100, accessTtlSeconds: 99, sessionTtlSeconds: 99 }],
  ])('refuses an unsafe %s: %j', (field, part) => {
    const make = (): unknown => createTokens({ ...settings, ...part }, createManualTime());
    expect(make).toThrow(
      expect.objectContaining({
        code: 'validation',
        fields: { [field]: [{ rule: 'invalid', message: expect.any(String) }] },
      }),
    );
  });

  it('by default issues access tokens for 90 days and refresh tokens for 120 days', () => {
    expect(TOKEN_DEFAULTS.accessTtlSeconds * 1000).toBe(90 * DAY_MS);
    expect(TOKEN_DEFAULTS.refreshTtlSeconds * 1000).toBe(120 * DAY_MS);
  });
});
