import { expect, it } from 'vitest';
import { wireName, wireNames } from './names.ts';

it.each([
  ['tehsil', 'block'],
  ['eoAccountId', 'eo_account_id'],
  ['refreshToken', 'refresh_token'],
  ['state', 'state'],
  ['start_year', 'start_year'],
  ['Last-Event-ID', 'Last-Event-ID'],
  ['mws 12_3', 'mws 12_3'],
  ['__proto__', '__proto__'],
  ['toString', 'to_string'],
])('%s is %s on the wire', (domain, wire) => {
  expect(wireName(domain)).toBe(wire);
});

it('renames members and keeps their order and values', () => {
  expect(Object.entries(wireNames({ startYear: 1, tehsilId: 2, near: ['a'] }))).toEqual([
    ['start_year', 1],
    ['tehsil_id', 2],
    ['near', ['a']],
  ]);
});
