import type { MapLayer } from '@headwater/core/ports';
import { expect, it } from 'vitest';
import { layer } from '../encodings/world.fixture.ts';
import { createFeatureTables } from './feature-table.ts';

const layerOf = (n: number): MapLayer => ({ ...layer, name: `layer_${n}`, assetKey: `run/1/layer_${n}` });
const BYTES = new TextEncoder().encode('{"type":"FeatureCollection","features":[]}');

it('reads at most two layers at the same time, because many large layers would fill the memory', async () => {
  let [open, most] = [0, 0];
  const tables = createFeatureTables({
    openFile: async () => ({
      bytes: BYTES.byteLength,
      etag: 'e',
      modified: new Date(0),
      stream: () =>
        ReadableStream.from(
          (async function* () {
            open += 1;
            most = Math.max(most, open);
            await new Promise((resolve) => setImmediate(resolve));
            yield BYTES;
            open -= 1;
          })(),
        ),
    }),
  });
  const read = await Promise.all(Array.from({ length: 20 }, (_, n) => tables.of(layerOf(n))));
  expect([read.length, open]).toEqual([20, 0]);
  expect(most).toBeLessThanOrEqual(2);
});

it('reads a layer again after a failure, and reads it once for simultaneous requests', async () => {
  let opened = 0;
  const tables = createFeatureTables({
    openFile: async () => {
      opened += 1;
      if (opened === 1) return undefined;
      return { bytes: BYTES.byteLength, etag: 'e', modified: new Date(0), stream: () => ReadableStream.from([BYTES]) };
    },
  });
  await expect(tables.of(layerOf(1))).rejects.toThrow('the stored file of this layer is missing');
  await Promise.all([tables.of(layerOf(1)), tables.of(layerOf(1))]);
  expect(opened).toBe(2);
});

it('refuses a layer that is larger than the cache, with a remedy, and drops the cached layer that was not used for the longest time', async () => {
  const opened: string[] = [];
  const tables = createFeatureTables(
    {
      openFile: async (key) => {
        opened.push(key);
        const bytes = key.endsWith('9') ? 101 : BYTES.byteLength;
        return { bytes, etag: 'e', modified: new Date(0), stream: () => ReadableStream.from([BYTES]) };
      },
    },
    100,
  );
  await expect(tables.of(layerOf(9))).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringContaining('WFS 1.0.0') as string,
  });
  for (const n of [1, 2, 1, 3, 1, 2]) await tables.of(layerOf(n));
  expect(opened.map((key) => key.slice(-1))).toEqual(['9', '1', '2', '3', '2']);
});
