import type { Rgba } from '@headwater/core';
import { expect, it } from 'vitest';
import { TURN } from '../encodings/world.fixture.ts';
import { createTurns } from '../protocol/turns.ts';
import { encodeMap } from './canvas.ts';
import { createFeatureTables } from '../features/feature-table.ts';
import { compose, inTurn } from './drawing.ts';

const OPEN = new AbortController().signal;
const palette: readonly Rgba[] = [
  [0, 0, 0, 0],
  [200, 100, 0, 255],
  [200, 100, 0, 128],
];

it('draws each picture over the pictures below it', async () => {
  const below = {
    width: 3,
    height: 1,
    pixels: Uint8Array.from([0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 64]),
    palette: null,
  };
  const above = { width: 3, height: 1, pixels: Uint8Array.from([1, 2, 0]), palette };
  const both = await compose([below, above], { background: null, turn: TURN });
  expect([...both.pixels]).toEqual([200, 100, 0, 255, 100, 50, 127, 255, 0, 0, 255, 64]);
  const second = { ...above, pixels: Uint8Array.from([0, 0, 2]) };
  const onWhite = await compose([above, second], { background: [255, 255, 255, 255], turn: TURN });
  expect([...onWhite.pixels]).toEqual([200, 100, 0, 255, 227, 177, 127, 255, 227, 177, 127, 255]);
});

it('composes and encodes a large map with pauses for other requests', async () => {
  const [width, height] = [4096, 2048];
  const picture = { width, height, pixels: new Uint8Array(width * height).fill(2), palette };
  let rounds = 0;
  let isOver = false;
  const count = (): void => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const composed = await compose([picture, picture], { background: [255, 255, 255, 255], turn: createTurns()(OPEN) });
  const bytes = await encodeMap(composed, { pixels: undefined, format: 'image/jpeg', turn: createTurns()(OPEN) });
  isOver = true;
  expect(bytes.byteLength).toBeGreaterThan(100);
  // Without pauses, there would be at most three rounds of the event loop.
  expect(rounds).toBeGreaterThan(5);
});

it('draws large maps one at a time, also without a pixel engine', async () => {
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
