import { beforeEach, describe, expect, it } from 'vitest';
import type { PasswordHasher } from '../ports/accounts.ts';
import { accountBench, PASSWORD, type AccountBench } from './bench.fixture.ts';
import { createAccountService } from './service.ts';
import type { AccountService } from './types.ts';

let b: AccountBench;
beforeEach(async () => {
  b = await accountBench();
});

const serve = (hasher: PasswordHasher = b.hasher): AccountService =>
  createAccountService({ ...b.deps, registration: 'open', hasher });

const newcomer = (username: string) => ({ username, email: 'new@example.org', password: PASSWORD });

describe('a burst of registrations', () => {
  function slowHasher() {
    const begun: string[] = [];
    let gate = Promise.withResolvers<void>();
    gate.resolve();
    const held = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      begun.push(name);
      await gate.promise;
      return await work();
    };
    const hasher: PasswordHasher = {
      hash: (password) => held('hash', () => b.hasher.hash(password)),
      verify: (password, hash) => held('verify', () => b.hasher.verify(password, hash)),
    };
    const shut = (): void => {
      begun.length = 0;
      gate = Promise.withResolvers<void>();
    };
    return { hasher, begun, shut, open: () => gate.resolve() };
  }

  it('does not block sign-ins: sign-ins run first, and registrations are refused first if too many requests wait', async () => {
    const { hasher, begun, shut, open } = slowHasher();
    const accounts = serve(hasher);
    // The decoy hash, which is compared for unknown names, must exist before the hasher is delayed.
    await accounts.login({ username: 'nobody', password: PASSWORD }, '10.0.0.1').catch(() => {});
    shut();
    const crowd = Array.from({ length: 80 }, (_, at) =>
      accounts.register(newcomer(`stranger${at}`), `10.1.${at}.1`).then(
        () => 'made',
        (error: { code: string }) => error.code,
      ),
    );
    const refused = await Promise.race(crowd);
    expect([refused, begun]).toEqual(['unavailable', ['hash', 'hash']]);
    // From an address from which asha has never signed in.
    const login = accounts.login({ username: 'asha', password: PASSWORD }, '10.9.9.9');
    await b.time.advance(0);
    open();
    expect((await login).user.id).toBe(b.asha.id);
    expect(begun[2]).toBe('verify');
    const codes = await Promise.all(crowd);
    expect(codes.filter((code) => code === 'unavailable').length).toBeGreaterThanOrEqual(14);
  });

  it('hashes nothing for a name that is taken or invalid', async () => {
    const { hasher, begun } = slowHasher();
    const accounts = serve(hasher);
    await expect(accounts.register(newcomer('ASHA'), undefined)).rejects.toMatchObject({ code: 'conflict' });
    await expect(accounts.register(newcomer('a b'), undefined)).rejects.toMatchObject({ code: 'validation' });
    expect(begun).toEqual([]);
  });
});

describe('names that look like another name', () => {
  it('are the same name if only the composition of their letters differs', async () => {
    const accounts = serve();
    const made = await accounts.register(newcomer('rene\u0301'), undefined);
    expect(made.username).toBe('ren\u00e9');
    for (const name of ['ren\u00e9', 'REN\u00c9', 'rene\u0301', '\uff52en\u00e9']) {
      await expect(accounts.register(newcomer(name), undefined)).rejects.toMatchObject({ code: 'conflict' });
      expect((await b.login(name, PASSWORD)).user.id).toBe(made.id);
    }
  });

  it('share the limit of failed logins in all spellings', async () => {
    for (const name of ['asha', '\uff41sha', 'a\uff53ha']) await b.login(name, 'guess').catch(() => {});
    await expect(b.login('ash\uff41', PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
  });

  it('are refused if they mix scripts, but an operator may create them', async () => {
    const accounts = serve();
    await expect(accounts.register(newcomer('\u0430sha'), undefined)).rejects.toMatchObject({
      code: 'validation',
      fields: { username: [{ rule: 'invalid', message: expect.stringContaining('use letters of one script') }] },
    });
    expect((await accounts.createUser(newcomer('\u0430sha'))).username).toBe('\u0430sha');
  });
});

describe('names with characters that are not visible', () => {
  it.each([
    ['a variation selector', 'asha\ufe0f'],
    ['a grapheme joiner', 'as\u034fha'],
    ['a Hangul filler', '\ud55c\u3164'],
    ['a half-width filler', '\ud55c\uffa0'],
    ['a Mongolian selector', 'asha\u180b'],
    ['a selector outside of the basic plane', 'asha\u{e0100}'],
  ])('are refused with %s, also if an operator creates them', async (_name, username) => {
    const refusal = {
      code: 'validation',
      fields: { username: [{ rule: 'invalid', message: expect.stringContaining('not visible') }] },
    };
    const accounts = serve();
    await expect(accounts.register(newcomer(username), undefined)).rejects.toMatchObject(refusal);
    await expect(accounts.createUser(newcomer(username))).rejects.toMatchObject(refusal);
  });
});

describe('organisations named at registration', () => {
  it('are hidden until a superuser creates or lists an organisation with this name', async () => {
    const accounts = serve();
    await accounts.register({ ...newcomer('one'), organization: 'Jal Samiti' }, undefined);
    expect(await accounts.organizations()).toEqual([]);
    const { id } = await b.stores.people.organizationNamed('jal samiti', false);
    expect(await accounts.organizationId('Jal Samiti')).toBe(id);
    expect(await accounts.organizations()).toEqual([{ id, name: 'Jal Samiti', isListed: true }]);
  });

  it.each([
    ['a right-to-left override', 'Jal \u202eitimaS'],
    ['an invisible word joiner', 'Jal\u2060 Samiti'],
    ['a line separator', 'Jal\u2028Samiti'],
  ])('are refused with %s', async (_name, organization) => {
    await expect(serve().register({ ...newcomer('one'), organization }, undefined)).rejects.toMatchObject({
      code: 'validation',
      fields: { organization: [{ rule: 'not_text' }] },
    });
    expect(await b.stores.users.byUsername('one')).toBeUndefined();
  });

  it('may be spelled with the joiners of Indian scripts', async () => {
    const organization = '\u0915\u094d\u200d\u0937 \u0938\u092e\u093f\u0924\u093f';
    await serve().register({ ...newcomer('one'), organization }, undefined);
    expect((await b.stores.people.organizationNamed(organization, false)).name).toBe(organization);
  });
});
