import { setImmediate as nextRound } from 'node:timers/promises';
import type { MapGrid } from '@headwater/core/ports';
import { expect, it } from 'vitest';
import { drawVector } from '../drawing/draw-vector.ts';
import { layer } from '../encodings/world.fixture.ts';
import { boxOfGeometry, createTable } from '../features/feature-table.ts';
import { vectorTile } from '../tiles/vector.ts';
import { createTurns, type Turn } from './turns.ts';

const RING = 60;
const table = createTable(
  Array.from({ length: 4000 }, (_, at) => {
    const [west, south] = [84 + (at % 100) / 50, 23 + Math.floor(at / 100) / 40];
    const ring = Array.from({ length: RING }, (_each, step) => {
      const angle = (2 * Math.PI * (step % (RING - 1))) / (RING - 1);
      return [west + 0.005 * (1 + Math.cos(angle)), south + 0.01 * (1 + Math.sin(angle))];
    });
    const geometry = { type: 'Polygon' as const, coordinates: [ring] };
    return { id: `a.${at + 1}`, geometry, box: boxOfGeometry(geometry), properties: { uid: `12_${at}`, n: at } };
  }),
);
const grid: MapGrid = {
  crs: 'EPSG:4326',
  west: 84,
  north: 24,
  pixelWidth: 0.001,
  pixelHeight: 0.001,
  cols: 2000,
  rows: 1000,
};
const turns = createTurns();
const WORK = {
  'a map': (turn: Turn) => drawVector(table, { grid, style: null, turn }),
  'a vector tile': (turn: Turn) => vectorTile({ table, layer, turn }, { zoom: 6, col: 47, row: 27 }),
};

it.each(Object.entries(WORK))('other requests continue during the work on %s', async (_name, work) => {
  let rounds = 0;
  let isOver = false;
  const count = (): void => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const start = performance.now();
  await work(turns(new AbortController().signal));
  isOver = true;
  // A round takes at most one slice and one step, which is far below this limit.
  expect((performance.now() - start) / rounds).toBeLessThan(100);
  expect(rounds).toBeGreaterThan(2);
});

it.each(Object.entries(WORK))('the work on %s ends after the connection is closed', async (_name, work) => {
  const abort = new AbortController();
  // Each slice ends at once, because a fast machine could finish before the abort.
  const made = work({ ...turns(abort.signal), isOver: () => true });
  abort.abort();
  await expect(made).rejects.toMatchObject({ name: 'AbortError' });
});

it('executes one slice in each round of the event loop, however many requests there are', async () => {
  let round = 0;
  let isOver = false;
  const count = (): void => {
    round += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const resumed = await Promise.all(
    Array.from({ length: 4 }, async () => {
      await turns(new AbortController().signal).next();
      return round;
    }),
  );
  isOver = true;
  expect(new Set(resumed).size).toBe(4);
});

it('a request that begins after the slice of a round has ended waits for the next round', async () => {
  const { signal } = new AbortController();
  const first = turns(signal);
  while (!first.isOver());
  expect(Array.from({ length: 50 }, () => turns(signal).isOver())).not.toContain(false);
  await nextRound();
  expect(turns(signal).isOver()).toBe(false);
});
