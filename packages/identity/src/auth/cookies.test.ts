import { expect, test } from 'vitest';
import { readCookie } from './cookies.ts';

test.each([
  ['sid=abc', 'abc'],
  ['other=1; sid=abc; last=2', 'abc'],
  ['sid="abc"', 'abc'],
  ['sid=a=b', 'a=b'],
  ['sid=abc; sid=abc', 'abc'],
  ['sid=', ''],
])('reads the value of sid from %s', (header, value) => {
  expect(readCookie(header, 'sid')).toBe(value);
});

test.each([
  '',
  'xsid=abc',
  'SID=abc',
  'sid',
  'sid=a b',
  'sid=a,b',
  'sid=a\\b',
  'sid="a',
  'sid=é',
  'sid=a; sid=b',
  'sid=\u0000',
])('reads no value of sid from %j', (header) => {
  expect(readCookie(header, 'sid')).toBeUndefined();
});

test('several headers count as one list; without a header there is no value', () => {
  expect(readCookie(['a=1', 'sid=abc'], 'sid')).toBe('abc');
  expect(readCookie(undefined, 'sid')).toBeUndefined();
});
