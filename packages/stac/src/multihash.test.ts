import { expect, it } from 'vitest';
import { isMultihash, multihash } from './multihash.ts';

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

it('encodes a sha-256 as code, length and digest', () => {
  expect(multihash(EMPTY.toUpperCase())).toBe(`1220${EMPTY}`);
  expect(isMultihash(multihash(EMPTY))).toBe(true);
});

it('refuses texts without 64 hex digits; only a multihash in lower case is a multihash', () => {
  expect(() => multihash(EMPTY.slice(1))).toThrow('64 digits');
  for (const text of [EMPTY, `1220${EMPTY}00`, `1221${EMPTY}`, `1220${EMPTY.toUpperCase()}`, '', 1220, null])
    expect(isMultihash(text)).toBe(false);
});
