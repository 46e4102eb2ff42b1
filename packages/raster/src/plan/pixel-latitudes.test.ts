import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import { fromUtm } from '@headwater/core/geo';
import { expect, it } from 'vitest';
import { makeScene } from './synthetic-scenes.fixture.ts';
import { testEngine } from './test-engine.fixture.ts';
import { plan, quiet, testBlock } from './test-plans.fixture.ts';

const { engine, folder, scratchDir } = testEngine();
const GRID: PixelGrid = {
  crs: 'EPSG:32643',
  west: 600_000,
  north: 3_874_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 200,
  rows: 120,
};

async function latitudesOn(grid: PixelGrid): Promise<Int32Array> {
  const scene = await makeScene(folder, {
    id: 'scene',
    datetime: '2023-10-01T10:00:00Z',
    grid: GRID,
    red: () => 500,
    scl: () => 4,
  });
  const bytes = ['0', '1', '2', '3'];
  const red = { name: 'red', formula: { kind: 'ratio', plus: ['red'], minus: [] }, from: 0, to: 1 } as const;
  const outcome = await engine.execute(
    plan(grid, [scene], {
      block: testBlock('dumpLatitudes'),
      indices: [red],
      outputs: bytes.map((name) => ({ name })),
    }),
    quiet(),
  );
  const planes = await Promise.all(bytes.map((name) => readFile(join(scratchDir, `${outcome.outputs[name]?.key}.u8`))));
  await engine.release(Object.values(outcome.outputs));
  return Int32Array.from({ length: grid.cols * grid.rows }, (_, at) =>
    planes.reduce((sum, plane, byte) => sum | (plane[at]! << (8 * byte)), 0),
  );
}

it('the latitude of a pixel is the latitude of its centre', async () => {
  const found = await latitudesOn(GRID);
  for (const at of [0, 199, 12_345, 23_999]) {
    const [col, row] = [at % 200, Math.floor(at / 200)];
    const [, latitude] = fromUtm({ zone: 43, south: false }, 600_005 + 10 * col, 3_873_995 - 10 * row);
    expect(found[at]).toBe(Math.round(latitude * 1e6));
  }
});

it.each([
  [1, 1],
  [37, 64],
  [128, 5],
])('a pixel has the same latitude on a grid that begins %d columns and %d rows later', async (right, down) => {
  const whole = await latitudesOn(GRID);
  const part = {
    ...GRID,
    west: GRID.west + 10 * right,
    north: GRID.north - 10 * down,
    cols: 200 - right,
    rows: 120 - down,
  };
  const own = await latitudesOn(part);
  own.forEach((latitude, at) => {
    const source = (down + Math.floor(at / part.cols)) * 200 + right + (at % part.cols);
    expect(latitude).toBe(whole[source]);
  });
});
