import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PixelEngine, PixelGrid } from '@headwater/core';
import type { PlanOutcome } from '@headwater/core/ports';
import type { PlanScene } from '@headwater/core/pixel-plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { createPixelEngine } from '../engine.ts';
import { claiming, hugeTables, selfPointing, TAG } from '../../../../scripts/spoilt-tiff.mjs';
import { makeScene } from './synthetic-scenes.fixture.ts';
import { dumpOutputs, testBlock, wholeArea } from './test-plans.fixture.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-hostile-scenes-')));
const files = join(folder, 'eo');
const GRID: PixelGrid = {
  crs: 'EPSG:32643',
  west: 6e5,
  north: 26e5,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 128,
  rows: 128,
};
let engine: PixelEngine;
let good: PlanScene;
beforeAll(async () => {
  mkdirSync(files);
  engine = createPixelEngine({ scratchDir: join(folder, 'scratch'), threads: 2 });
  good = await scene('good');
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function scene(id: string): Promise<PlanScene> {
  const datetime = '2023-07-10T05:30:00Z';
  const written = await makeScene(files, { id, datetime, grid: GRID, red: () => 1000, scl: () => 4 });
  const bands = Object.entries(written.bands).map(([name, band]) => [name, { ...band, within: [files] }] as const);
  return { ...written, bands: Object.fromEntries(bands) };
}

const pathOf = ({ bands }: PlanScene, band: string): string => bands[band]?.href ?? '';

async function composite(scenes: readonly PlanScene[]): Promise<PlanOutcome> {
  const outcome = await engine.execute(
    {
      kind: 'composite',
      grid: GRID,
      area: wholeArea(GRID),
      scenes,
      mask: { band: 'scl', keep: [4], missing: [0], grow: [], dilate: 0 },
      steps: [{ start: '2023-07-01', end: '2023-08-01' }],
      core: [0, 1],
      indices: [{ name: 'red', formula: { kind: 'band', band: 'red' }, from: 0, to: 1 }],
      block: testBlock('dumpSeries'),
      outputs: dumpOutputs({ red: 1 }),
    },
    { signal: new AbortController().signal, progress: () => {} },
  );
  await engine.release(Object.values(outcome.outputs));
  return outcome;
}

/** Writes a file whose headers claim 4 million pixels a side, each 0.1 mm wide. Nearly all of its tiles are sparse. */
async function tinyPixels(path: string, data: Uint16Array | Uint8Array): Promise<void> {
  const [west, north] = [GRID.west + 600, GRID.north - 600];
  const grid = { ...GRID, west, north, pixelWidth: 1e-4, pixelHeight: 1e-4, cols: 96, rows: 96 };
  await writeGeoTiff(path, { grid, overviews: 'none', tileSize: 32, predictor: 1, data });
  const side = 2 ** 22;
  writeFileSync(
    path,
    claiming(
      readFileSync(path),
      { tag: TAG.ImageWidth, value: side },
      { tag: TAG.ImageHeight, value: side },
      { tag: TAG.TileWidth, value: 4096 },
      { tag: TAG.TileHeight, value: 4096 },
    ),
  );
}

const SPOILS: readonly { name: string; spoil: (scene: PlanScene) => unknown; reason: RegExp }[] = [
  {
    name: 'a directory that refers to itself',
    spoil: (s) => writeFileSync(pathOf(s, 'red'), selfPointing(readFileSync(pathOf(s, 'red')))),
    reason: /_red\.tif: its TIFF headers cannot be read, because the chain of directories returns to byte \d+/,
  },
  {
    name: 'tables of 67 million tiles',
    spoil: (s) => writeFileSync(pathOf(s, 'scl'), hugeTables(readFileSync(pathOf(s, 'scl')))),
    reason: /_scl\.tif: it claims 67108864 tiles/,
  },
  {
    name: 'a pipe',
    spoil: (s) => {
      rmSync(pathOf(s, 'red'));
      execFileSync('mkfifo', [pathOf(s, 'red')]);
    },
    reason: /_red\.tif: it is a pipe, not a file/,
  },
  {
    name: 'a link to a file outside',
    spoil: (s) => {
      copyFileSync(pathOf(s, 'red'), join(folder, 'outside.tif'));
      rmSync(pathOf(s, 'red'));
      symlinkSync(join(folder, 'outside.tif'), pathOf(s, 'red'));
    },
    reason: /_red\.tif: it is outside of the allowed folder/,
  },
  {
    name: 'pixels of a tenth of a millimetre',
    spoil: (s) => tinyPixels(pathOf(s, 'red'), new Uint16Array(96 * 96).fill(9)),
    reason: /_red\.tif: its pixels are too small: \d+ x \d+ of them are under/,
  },
  {
    name: 'a mask with pixels of a tenth of a millimetre',
    spoil: (s) => tinyPixels(pathOf(s, 'scl'), new Uint8Array(96 * 96).fill(4)),
    reason: /_scl\.tif: its pixels are too small/,
  },
];

describe('a scene with a hostile file is left out and listed, and the plan continues', () => {
  it.each(SPOILS)('$name', async ({ spoil, reason }) => {
    const hostile = await scene('hostile');
    await spoil(hostile);
    try {
      const { contributing, skipped } = await composite([hostile, good]);
      expect(contributing).toEqual(['good']);
      expect(skipped).toEqual({ hostile: expect.stringMatching(reason) });
    } finally {
      rmSync(pathOf(hostile, 'red'));
    }
  });
});

describe('a scene may have the id', () => {
  it.each(['constructor', '__proto__', 'toString'])('%s', async (id) => {
    expect((await composite([{ ...good, id }])).contributing).toEqual([id]);
    const gone = {
      ...good.bands,
      red: { ...good.bands['red'], href: join(files, 'none.tif'), offset: 0, scale: 1, nodata: 0 },
    };
    const { contributing, skipped } = await composite([{ ...good, id, bands: gone }, good]);
    expect(contributing).toEqual(['good']);
    expect(Object.entries(skipped)).toEqual([[id, expect.stringMatching(/none\.tif: the file does not exist/)]]);
  });
});
