import { expect, it } from 'vitest';
import { isMultihash, multihash } from './multihash.ts';

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

it('encodes a sha-256 as code, length and digest', () => {
  expect(multihash(EMPTY.toUpperCase())).toBe(`1220${EMPTY}`);
  expect(isMultihash(multihash(EMPTY))).toBe(true);
});

it('multihash refuses a text without 64 digits; isMultihash accepts only a sha-256 multihash in lower case', () => {
  expect(() => multihash(EMPTY.slice(1))).toThrow('64 digits');
  for (const text of [EMPTY, `1220${EMPTY}00`, `1221${EMPTY}`, `1220${EMPTY.toUpperCase()}`, '', 1220, null])
    expect(isMultihash(text)).toBe(false);
});
