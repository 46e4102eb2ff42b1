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

test('bytes are compressed once, also for concurrent callers', async () => {
  const encodings = createEncodings();
  const { prepared: one } = prepared(text('a'));
  const [first, second] = await Promise.all([encodings.of(one, 'gzip'), encodings.of(one, 'gzip')]);
  expect(second).toBe(first);
  expect(await encodings.of(one, 'gzip')).toBe(first);
  expect(gunzipSync(first ?? new Uint8Array()).toString()).toBe(text('a'));
});

test('equal bytes of several prepared values are compressed once', async () => {
  const calls: string[] = [];
  const encodings = createEncodings(async (bytes, encoding) => {
    calls.push(encoding);
    return bytes.subarray(0, 1);
  });
  for (const encoding of ['br', 'gzip', 'br', 'gzip'] as const)
    expect(await encodings.of(prepared(text('a')).prepared, encoding)).toHaveLength(1);
  expect(calls).toEqual(['br', 'gzip']);
  // Different responses may have the same ETag, so the ETag must not be the key of the cache.
  const other = prepared(text('b'), { etag: prepared(text('a')).prepared.etag });
  await encodings.of(other.prepared, 'br');
  expect(calls).toEqual(['br', 'gzip', 'br']);
});

test('compressed forms stay cached after the release of their prepared values, up to the limit in bytes', async () => {
  const encodings = createEncodings(undefined, 64 * 1024);
  const forms = await Promise.all(
    Array.from({ length: 20 }, async (_each, index) => {
      const form = await encodings.of(prepared(text(String(index))).prepared, 'gzip');
      if (form === undefined) throw new Error('the text did not shrink');
      // The whole buffer counts: Node shares one buffer among small results, and a view of it would keep all of it in
      // memory.
      return { form: new WeakRef(form), bytes: form.buffer.byteLength };
    }),
  );
  // The target of a new WeakRef is not collected before the current turn of the event loop ends.
  await setImmediate();
  collectGarbage();
  const living = forms.filter(({ form }) => form.deref() !== undefined);
  expect(living).not.toEqual([]);
  expect(living.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(64 * 1024);
  expect(await encodings.of(prepared(text('still at work')).prepared, 'gzip')).toBeDefined();
});

test('a failure is not cached', async () => {
  const answers = [Promise.reject(new Error('no memory')), Promise.resolve(Uint8Array.of(1))];
  const encodings = createEncodings(() => answers.shift() ?? Promise.resolve(undefined));
  const { prepared: one } = prepared(text('a'));
  await expect(encodings.of(one, 'br')).rejects.toThrow('no memory');
  expect(await encodings.of(one, 'br')).toEqual(Uint8Array.of(1));
});

test('bytes are not compressed if they are short, already compressed, or would grow', async () => {
  const encodings = createEncodings();
  const noise = crypto.getRandomValues(new Uint8Array(2048));
  for (const each of [prepared('{}'), prepared(text('a'), { type: 'image/png' }), prepared(noise)]) {
    expect(await encodings.of(each.prepared, 'gzip')).toBeUndefined();
  }
});

test('prepared refuses an invalid ETag', () => {
  for (const etag of ['1', '"a"b"', 'w/"1"', '"a b"']) expect(() => prepared('x', { etag })).toThrow(/quote it/);
});
