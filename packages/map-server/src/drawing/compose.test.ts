import type { Rgba } from '@headwater/core';
import { expect, it } from 'vitest';
import { encodeMap } from './canvas.ts';
import { createFeatureTables } from '../features/feature-table.ts';
import { compose, inTurn } from './drawing.ts';

const palette: readonly Rgba[] = [
  [0, 0, 0, 0],
  [200, 100, 0, 255],
  [200, 100, 0, 128],
];

it('draws each picture over those below it', () => {
  const below = {
    width: 3,
    height: 1,
    pixels: Uint8Array.from([0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 64]),
    palette: null,
  };
  const above = { width: 3, height: 1, pixels: Uint8Array.from([1, 2, 0]), palette };
  expect([...compose([below, above], null).pixels]).toEqual([200, 100, 0, 255, 100, 50, 127, 255, 0, 0, 255, 64]);
  expect([...compose([above, { ...above, pixels: Uint8Array.from([0, 0, 2]) }], [255, 255, 255, 255]).pixels]).toEqual([
    200, 100, 0, 255, 227, 177, 127, 255, 227, 177, 127, 255,
  ]);
});

it('draws and encodes a large map without long pauses for other requests', async () => {
  const [width, height] = [4096, 2048];
  const picture = { width, height, pixels: new Uint8Array(width * height).fill(2), palette };
  const before = performance.now();
  compose([picture, picture], [255, 255, 255, 255]);
  const encoded = encodeMap(
    undefined,
    { ...picture, width: 64, height: 64, pixels: new Uint8Array(4096) },
    'image/jpeg',
  );
  expect(performance.now() - before).toBeLessThan(2500);
  expect((await encoded).byteLength).toBeGreaterThan(100);
});

it('draws large maps one after the other, also without a pixel engine', async () => {
  const parts = { tables: createFeatureTables({ openFile: async () => undefined }) };
  let [drawing, most] = [0, 0];
  const draw = async (): Promise<void> => {
    most = Math.max(most, (drawing += 1));
    await new Promise((resolve) => setImmediate(resolve));
    drawing -= 1;
  };
  await Promise.all([1, 2, 3].map(async () => await inTurn(parts, 4096 * 4096, draw)));
  expect(most).toBe(1);
});
