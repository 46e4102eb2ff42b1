import { expect, it } from 'vitest';
import type { Superuser } from './superuser.ts';
import { bannerHead, bannerText } from './banner.ts';

it('its lines end in a line break of their own, so that the prompt comes on a new line', () => {
  const user = { username: 'test_user_0042' } as Superuser['user'];
  const superuser = { user, password: undefined, passwordOrigin: '', warning: undefined };
  const facts = { baseUrl: 'http://localhost:8000', place: undefined, years: [2022, 2023], accountId: 1 } as const;
  const lines = bannerText({ ...facts, superuser })
    .split('\n')
    .filter((line) => line.startsWith('curl '));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/^curl -sw '\\n' /);
});

it('tells a new password once, before the banner, and an old one never', () => {
  const user = { username: 'test_user_0042' } as Superuser['user'];
  const made = { user, password: 'tall-river-42', passwordOrigin: 'printed this once', warning: undefined };
  const facts = { baseUrl: 'http://localhost:8000', place: undefined, years: [2022, 2023], accountId: 1 } as const;
  const line = 'password         tall-river-42';
  expect(bannerHead({ ...facts, superuser: made })).toContain(line);
  expect(bannerText({ ...facts, superuser: made })).not.toContain(line);
  expect(bannerText({ ...facts, superuser: { ...made, password: undefined } })).not.toContain('tall-river');
});

it("the lines to paste do not sign in with the installer's password, which does nothing", () => {
  const user = { username: 'test_user_0042', mustChangePassword: true } as Superuser['user'];
  const superuser = { user, password: 'test_change_me', passwordOrigin: 'printed this once', warning: 'change it' };
  const facts = { baseUrl: 'http://localhost:8000', place: undefined, years: [2022, 2023], accountId: 1 } as const;
  const text = bannerText({ ...facts, superuser });
  expect(text).not.toContain('test_change_me');
  expect(text).toContain('"password":"YOUR-NEW-PASSWORD"');
});
