import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createApiKeys } from '../api-keys/api-keys.ts';
import { TOKEN_DEFAULTS } from '../auth/token-settings.ts';
import { createTokens } from '../auth/tokens.ts';
import { accountBench, noAccount, PASSWORD, principalOf, type AccountBench } from './bench.fixture.ts';
import { createAccountService } from './service.ts';
import type { AccountDeps, AccountService, MailedLink, PasswordLink } from './types.ts';

const NEXT = 'wide-meadow-43';
const DAY_MS = 86_400_000;
const dead = { code: 'not_found', details: { kind: 'passwordLink' } };

let b: AccountBench;
let mails: MailedLink[];
let events: unknown[];
let accounts: AccountService;
const serve = (change: Partial<AccountDeps> = {}): AccountService => {
  // Unfinished calls of an earlier test must not write to the arrays of this test.
  const [noted, sent] = [events, mails];
  const note = (fields: Readonly<Record<string, unknown>>): void =>
    void noted.push(fields['securityEvent'] ?? 'failed');
  const logger = { debug: note, info: note, error: note };
  return createAccountService({ ...b.deps, mailLink: async (mailed) => void sent.push(mailed), logger, ...change });
};
beforeEach(async () => {
  b = await accountBench();
  [mails, events] = [[], []];
  accounts = serve();
});

async function ask(address: string, from = accounts): Promise<void> {
  const before = events.length;
  await from.sendPasswordLink('asha', address);
  await vi.waitFor(() => expect(events.length).toBeGreaterThan(before));
}

async function newLink(address = '10.0.0.1'): Promise<PasswordLink> {
  await ask(address);
  const link = mails.at(-1)?.link;
  if (link === undefined) throw new Error('no link was mailed');
  return link;
}

describe('a link for a new password', () => {
  it('is invalid after the mail address of the account changed, so the owner of the old mailbox cannot use the link', async () => {
    const link = await newLink();
    const change = { email: 'new@example.org' };
    await accounts.changePerson(principalOf(b.asha), { userId: b.asha.id, change, password: PASSWORD }, undefined);
    await expect(accounts.checkPasswordLink(link)).rejects.toMatchObject(dead);
    await expect(accounts.setPasswordByLink(link, NEXT, undefined)).rejects.toMatchObject(dead);
    expect((await b.login('asha', PASSWORD)).user.id).toBe(b.asha.id);
    await accounts.setPasswordByLink(await newLink(), NEXT, undefined);
    expect(mails.at(-1)?.user.email).toBe('new@example.org');
  });

  it('is refused if the mail address of the account changes while the new password is hashed', async () => {
    const link = await newLink();
    const hash = async (password: string): Promise<string> => {
      await b.stores.people.change(b.asha.id, { email: 'new@example.org' });
      return await b.hasher.hash(password);
    };
    const slow = serve({ hasher: { ...b.hasher, hash } });
    await expect(slow.setPasswordByLink(link, NEXT, undefined)).rejects.toMatchObject(dead);
    expect((await b.login('asha', PASSWORD)).user.id).toBe(b.asha.id);
  });

  it('ends the API keys of this account only', async () => {
    const keys = createApiKeys({ stores: b.stores, clock: b.time, timers: b.time });
    const badi = await accounts.createUser({ username: 'badi', password: PASSWORD });
    const [mine, other] = [await keys.generate(principalOf(b.asha)), await keys.generate(principalOf(badi))];
    await accounts.setPasswordByLink(await newLink(), NEXT, undefined);
    await expect(keys.authenticate(mine.text)).rejects.toMatchObject({ code: 'token_not_valid' });
    expect([await b.stores.apiKeys.activeOf(b.asha.id), (await keys.authenticate(other.text)).user.id]).toEqual([
      [],
      badi.id,
    ]);
  });

  it('is valid for three days, even if sessions are valid for one day', async () => {
    const secret = globalThis.crypto.getRandomValues(new Uint8Array(32));
    const short = { accessTtlSeconds: 3600, refreshTtlSeconds: 86_400, sessionTtlSeconds: 86_400 };
    accounts = serve({ tokens: createTokens({ ...TOKEN_DEFAULTS, ...short, secret }, b.time) });
    const [one, two] = [await newLink(), await newLink()];
    await b.time.advance(3 * DAY_MS - 1000);
    await accounts.checkPasswordLink(one);
    await b.time.advance(1000);
    await expect(accounts.setPasswordByLink(two, NEXT, undefined)).rejects.toMatchObject(dead);
    await expect(b.login('asha', NEXT)).rejects.toMatchObject(noAccount);
  });
});

describe('asking for links', () => {
  it('sends at most five mails; further requests are ignored without an error, and the mailed links stay valid', async () => {
    for (let stranger = 0; stranger < 9; stranger += 1) await ask(`10.0.1.${stranger}`);
    expect(mails).toHaveLength(5);
    await ask('10.0.0.1');
    expect([mails.length, events.at(-1)]).toEqual([5, 'password_link_withheld']);
    const [first] = mails;
    if (first === undefined) throw new Error('no link was mailed');
    await accounts.setPasswordByLink(first.link, NEXT, undefined);
    // The new password invalidates all links, so the count of mails starts again.
    await ask('10.0.0.1');
    expect([mails.length, events.at(-1)]).toEqual([6, 'password_link_sent']);
    await accounts.checkPasswordLink(await newLink());
  });

  it('is refused if one client address asks too often for one name, also in different spellings', async () => {
    for (const name of ['asha', 'ASHA', '\uff41sha', 'asha', 'Asha']) await accounts.sendPasswordLink(name, '10.0.0.1');
    await expect(accounts.sendPasswordLink('asha', '10.0.0.1')).rejects.toMatchObject({ code: 'throttled' });
    await accounts.sendPasswordLink('badi', '10.0.0.1');
  });

  it('counts a mail even if sending it seemed to fail, because the mail server may have sent it', async () => {
    let tries = 0;
    const mailLink = async (mailed: MailedLink): Promise<void> => {
      tries += 1;
      mails.push(mailed);
      if (tries % 3 === 0) throw new Error('the mail server did not answer');
    };
    const unsteady = serve({ mailLink });
    for (let at = 0; at < 20; at += 1) await ask(`10.0.1.${at}`, unsteady);
    expect(mails).toHaveLength(5);
    const sent = 'password_link_sent';
    expect(events.slice(0, 6)).toEqual([sent, sent, 'failed', sent, sent, 'password_link_withheld']);
    await b.time.advance(3_600_000);
    await ask('10.0.0.1');
    expect([mails.length, events.at(-1)]).toEqual([6, 'password_link_sent']);
  });
});
