import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { prepared } from '../prepared.ts';
import { createEncodings } from './encodings.ts';

const text = (seed: string, length = 4096): string => Array.from({ length }, (_each, i) => `${seed}${i}`).join(',');

test('a form is made once, also for several askers at a time', async () => {
  const encodings = createEncodings();
  const { prepared: one } = prepared(text('a'));
  const [first, second] = await Promise.all([encodings.of(one, 'gzip'), encodings.of(one, 'gzip')]);
  expect(second).toBe(first);
  expect(await encodings.of(one, 'gzip')).toBe(first);
  expect(gunzipSync(first ?? new Uint8Array()).toString()).toBe(text('a'));
});

test('beyond its bound the form that was not asked for longest goes', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((seed) => prepared(text(seed)).prepared);
  if (a === undefined || b === undefined || c === undefined) throw new Error('three were made');
  const size = (await createEncodings().of(a, 'gzip'))?.byteLength ?? 0;
  const encodings = createEncodings(size * 2.5);
  const first = await encodings.of(a, 'gzip');
  const second = await encodings.of(b, 'gzip');
  await encodings.of(a, 'gzip');
  await encodings.of(c, 'gzip');
  expect(await encodings.of(a, 'gzip')).toBe(first);
  expect(await encodings.of(b, 'gzip')).not.toBe(second);
});

test('what is short, compressed already or grows is sent as it is', async () => {
  const encodings = createEncodings();
  const noise = crypto.getRandomValues(new Uint8Array(2048));
  for (const each of [prepared('{}'), prepared(text('a'), { type: 'image/png' }), prepared(noise)]) {
    expect(await encodings.of(each.prepared, 'gzip')).toBeUndefined();
  }
});

test('a tag that is none is refused when it is given', () => {
  for (const etag of ['1', '"a"b"', 'w/"1"', '"a b"']) expect(() => prepared('x', { etag })).toThrow(/quote it/);
});
