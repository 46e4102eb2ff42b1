import { expect, it } from 'vitest';
import { stableAddress } from './stable-address.ts';

const FILE = 'https://example.org/x.tif';

it.each([
  ['sig=a&sv=2024&st=1&se=2&sr=b&sp=r&spr=https&skoid=3', ''],
  ['X-Amz-Signature=a&X-Amz-Date=1&X-Amz-Expires=2&versionId=7', '?versionId=7'],
  ['X-Goog-Signature=a&X-Goog-Date=1&X-Goog-Credential=me', ''],
  ['Signature=a&Expires=1&AWSAccessKeyId=me', ''],
  ['Signature=a&Expires=1&GoogleAccessId=me', ''],
  ['Signature=a&Expires=1&Policy=b&Key-Pair-Id=c', ''],
])('leaves out the signature in %s, the credentials and the fragment', (query, rest) => {
  expect(stableAddress(`https://me:secret@example.org/x.tif?${query}#part`)).toBe(`${FILE}${rest}`);
});

it.each([
  'sr=10m',
  'sr=20m',
  'sig=2&sr=10m',
  'se=1&sp=2&sv=3',
  'expires=1',
  'policy=1&key-pair-id=2',
  'signature=1&policy=2',
  'x-amz-version=1',
])('keeps the parameters %s, which are not a signature', (query) => {
  expect(stableAddress(`${FILE}?${query}`)).toBe(`${FILE}?${query}`);
});

it('returns a text unchanged if it is not an address', () => {
  expect(stableAddress('x.tif')).toBe('x.tif');
});
