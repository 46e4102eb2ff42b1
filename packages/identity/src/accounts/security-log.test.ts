import { beforeEach, expect, it } from 'vitest';
import type { User } from '../ports/accounts.ts';
import type { Logger } from '@headwater/core';
import { accountBench, PASSWORD } from './bench.fixture.ts';
import type { AccountService } from './types.ts';

const ADDRESS = '203.0.113.7';

interface Line {
  readonly level: keyof Logger;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

let lines: Line[];
let accounts: AccountService;
let asha: User;
beforeEach(async () => {
  lines = [];
  const note =
    (level: keyof Logger): Logger['info'] =>
    (fields, message) =>
      void lines.push({ level, fields, message });
  ({ accounts, asha } = await accountBench({
    limits: { windowMs: 60_000, perNameAtAddress: 2, perName: 100, perAddress: 100 },
    logger: { debug: note('debug'), info: note('info'), error: note('error') },
  }));
});

const logged = (): unknown[] => lines.splice(0).map(({ level, fields }) => [level, fields]);
const who = { userId: 1, username: 'asha', address: ADDRESS };

it('logs sign-ins and sign-outs with name and address, and without secrets', async () => {
  const { access, refresh } = await accounts.login({ username: 'ASHA', password: PASSWORD }, ADDRESS);
  await accounts.logout({ kind: 'user', user: asha }, refresh, ADDRESS);
  const all = JSON.stringify(lines);
  for (const secret of [PASSWORD, access, refresh]) expect(all).not.toContain(secret);
  expect(logged()).toEqual([
    ['info', { securityEvent: 'sign_in', ...who }],
    ['info', { securityEvent: 'sign_out', ...who }],
  ]);
});

it('logs failures, the resulting lockout, and refused sign-ins', async () => {
  for (const password of ['guess one', 'guess two', PASSWORD])
    await accounts.login({ username: 'asha', password }, ADDRESS).catch(() => {});
  expect(JSON.stringify(lines)).not.toMatch(/guess|tidal/);
  const guess = { username: 'asha', address: ADDRESS };
  expect(logged()).toEqual([
    ['info', { securityEvent: 'sign_in_failed', ...guess }],
    ['error', { securityEvent: 'lockout', ...guess, by: 'name at address', limit: 2 }],
    ['info', { securityEvent: 'sign_in_failed', ...guess }],
    ['info', { securityEvent: 'sign_in_refused', ...guess }],
  ]);
});

it('logs the second use of a refresh token', async () => {
  const { refresh } = await accounts.login({ username: 'asha', password: PASSWORD }, ADDRESS);
  await accounts.refresh(refresh, ADDRESS);
  lines = [];
  await accounts.refresh(refresh, '198.51.100.9').catch(() => {});
  expect(logged()).toEqual([['error', { securityEvent: 'refresh_token_reused', ...who, address: '198.51.100.9' }]]);
});

it('logs changes of passwords and of accounts', async () => {
  const principal = { kind: 'user', user: asha } as const;
  await accounts
    .changePassword(principal, { oldPassword: 'x', newPassword: 'wide-meadow-42' }, ADDRESS)
    .catch(() => {});
  await accounts.changePassword(principal, { oldPassword: PASSWORD, newPassword: 'wide-meadow-42' }, ADDRESS);
  await accounts.resetPassword(asha.id, 'tall-meadow-43');
  await accounts.setActive(asha.id, false);
  await accounts.setActive(asha.id, true);
  expect(JSON.stringify(lines)).not.toMatch(/meadow/);
  const account = { userId: 1, username: 'asha' };
  expect(logged()).toEqual([
    ['info', { securityEvent: 'password_change_failed', ...who }],
    ['info', { securityEvent: 'password_changed', ...who }],
    ['info', { securityEvent: 'password_reset', ...account }],
    ['info', { securityEvent: 'account_disabled', ...account }],
    ['info', { securityEvent: 'account_enabled', ...account }],
  ]);
});

it('shortens typed text and removes control characters, so that the text cannot forge log lines or fill the log', async () => {
  const username = `a\n{"level":"info"}\u2028\ud800\u202e${'x'.repeat(500)}`;
  await accounts.login({ username, password: 'x' }, `10.0.0.1\r\n${'y'.repeat(500)}`).catch(() => {});
  expect(lines[0]?.fields['username']).toBe(`a?{"level":"info"}???${'x'.repeat(150 - 21)}`);
  expect(lines[0]?.fields['address']).toBe(`10.0.0.1??${'y'.repeat(64 - 10)}`);
});
