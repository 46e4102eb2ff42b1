import { readFile } from 'node:fs/promises';
import type { Place } from '@headwater/core';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import { expect, it } from 'vitest';
import { readConfig } from './config/read-config.ts';
import type { Superuser } from './superuser.ts';
import { bannerHead, bannerText, curlLines, linksNote } from './banner.ts';

const user = { username: 'test_user_0042' } as Superuser['user'];
const created = { user, password: 'tall-river-42', isConfigured: false, warning: undefined };
const known = { ...created, password: undefined };
const shell = { DATA_DIR: '/srv/data' };
const facts = { shell, baseUrl: 'http://localhost:8000', place: undefined, years: [2022, 2023], accountId: 1 } as const;

it('each curl line prints a line break at its end, so that the prompt is on a new line', () => {
  const lines = bannerText({ ...facts, superuser: known })
    .split('\n')
    .filter((line) => line.startsWith('curl '));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/^curl -sw '\\n' /);
});

it('prints a new password once, before the banner, and never an old one', () => {
  expect(bannerHead({ ...facts, superuser: created })).toContain('password         tall-river-42');
  const text = bannerText({ ...facts, superuser: created });
  expect(text).not.toContain('tall-river');
  expect(text).toContain(
    "First set this variable in the shell: HEADWATER_PASSWORD='...'; replace ... by the password above.",
  );
  expect(bannerText({ ...facts, superuser: known })).toContain('by the password of test_user_0042.');
});

it('does not print a password that SUPERUSER_PASSWORD has set', () => {
  const head = bannerHead({ ...facts, superuser: { ...created, isConfigured: true } });
  expect(head).toContain('password         (that of SUPERUSER_PASSWORD)');
  expect(head).not.toContain('tall-river');
});

it('prints the command that sets another password, with the data folder of this start', () => {
  expect(bannerHead({ ...facts, superuser: known })).toContain(
    '`DATA_DIR=/srv/data npx headwater change-password --username test_user_0042`',
  );
});

it('the curl lines do not depend on the password: they read it from a variable', () => {
  const lines = curlLines({ ...facts, superuser: created });
  expect(lines).toEqual(curlLines({ ...facts, superuser: known }));
  expect(lines[0]).toContain(`"password":"'"\${HEADWATER_PASSWORD:?set it first}"'"`);
});

it("the lines do not log in with the installer's password, which must be changed first", () => {
  const installed = { ...created, user: { ...user, mustChangePassword: true }, password: 'test_change_me' };
  const text = bannerText({ ...facts, superuser: installed });
  expect(text).not.toContain('test_change_me');
  expect(text).toContain('by your new password.');
});

it('docs/clients.md has exactly the lines that a start with the sample prints', async () => {
  const place = {
    state: { name: SAMPLE_PLACE.state },
    district: { name: SAMPLE_PLACE.district },
    tehsil: { name: SAMPLE_PLACE.tehsil },
  } as Place;
  const years = [SAMPLE_YEARS[0], SAMPLE_YEARS[2]] as const;
  const page = await readFile(new URL('../../../docs/clients.md', import.meta.url), 'utf8');
  expect(page).toContain(`\n${curlLines({ ...facts, place, years, superuser: known }).join('\n')}\n`);
});

it('warns about the address in links if other machines can reach the service and no address is set', () => {
  expect(linksNote(readConfig({ BACKEND_PORT: '8123' }))).toMatch(
    /begin with http:\/\/localhost:8123: set PUBLIC_BASE_URL/,
  );
  expect(linksNote(readConfig({ BACKEND_HOST: '::' }))).toBeDefined();
  expect(linksNote(readConfig({ BACKEND_HOST: '127.0.0.1' }))).toBeUndefined();
  expect(linksNote(readConfig({ PUBLIC_BASE_URL: 'http://localhost:8000' }))).toBeUndefined();
});
