import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { prepared } from '../caching/prepared.ts';
import { createEncodings } from './encodings.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const text = (seed: string, length = 4096): string => Array.from({ length }, (_each, i) => `${seed}${i}`).join(',');

test('a form is made once, also for several askers at a time', async () => {
  const encodings = createEncodings();
  const { prepared: one } = prepared(text('a'));
  const [first, second] = await Promise.all([encodings.of(one, 'gzip'), encodings.of(one, 'gzip')]);
  expect(second).toBe(first);
  expect(await encodings.of(one, 'gzip')).toBe(first);
  expect(gunzipSync(first ?? new Uint8Array()).toString()).toBe(text('a'));
});

test('the same bytes are compressed once, whoever made them anew', async () => {
  const asked: string[] = [];
  const encodings = createEncodings(async (bytes, encoding) => {
    asked.push(encoding);
    return bytes.subarray(0, 1);
  });
  for (const encoding of ['br', 'gzip', 'br', 'gzip'] as const)
    expect(await encodings.of(prepared(text('a')).prepared, encoding)).toHaveLength(1);
  expect(asked).toEqual(['br', 'gzip']);
  // A tag may be that of a version, which several answers have.
  const other = prepared(text('b'), { etag: prepared(text('a')).prepared.etag });
  await encodings.of(other.prepared, 'br');
  expect(asked).toEqual(['br', 'gzip', 'br']);
});

test('of what nobody holds so many bytes of forms are kept, and no more', async () => {
  const encodings = createEncodings(undefined, 64 * 1024);
  const forms = await Promise.all(
    Array.from({ length: 20 }, async (_each, index) => {
      const form = await encodings.of(prepared(text(String(index))).prepared, 'gzip');
      if (form === undefined) throw new Error('it shrinks');
      return { form: new WeakRef(form), bytes: form.byteLength };
    }),
  );
  // What was looked at in a turn lives to its end.
  await setImmediate();
  collectGarbage();
  const living = forms.filter(({ form }) => form.deref() !== undefined);
  expect(living).not.toEqual([]);
  expect(living.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(64 * 1024);
  expect(await encodings.of(prepared(text('still at work')).prepared, 'gzip')).toBeDefined();
});

test('a failure is not kept', async () => {
  const answers = [Promise.reject(new Error('no memory')), Promise.resolve(Uint8Array.of(1))];
  const encodings = createEncodings(() => answers.shift() ?? Promise.resolve(undefined));
  const { prepared: one } = prepared(text('a'));
  await expect(encodings.of(one, 'br')).rejects.toThrow('no memory');
  expect(await encodings.of(one, 'br')).toEqual(Uint8Array.of(1));
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
