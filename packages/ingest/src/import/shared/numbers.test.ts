import { expect, it } from 'vitest';
import { limitText } from './numbers.ts';

it.each([
  [2 ** 31, '2 GB'],
  [2 ** 33 + 2 ** 17, '8 GB'],
  [128 * 2 ** 20, '128 MB'],
  [64 * 2 ** 10, '64 kB'],
  [1000, '1000 bytes'],
])('writes a limit of %d bytes as %s', (bytes, text) => {
  expect(limitText(bytes)).toBe(text);
});
