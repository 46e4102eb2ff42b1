import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import { afterEach, expect, it } from 'vitest';
import { Network } from '@headwater/net';
import { openRaster } from '../tiff/open-raster.ts';
import { makeScene } from './synthetic-scenes.fixture.ts';
import { SceneFiles } from './scene-files.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-scene-files-')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const [west, north, side] = [6e5, 26e5, 32];
const GRID: PixelGrid = {
  crs: 'EPSG:32643',
  west,
  north,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: side,
  rows: side,
};

it('does not open a file that is replaced by a link to outside of its folder during a run', async () => {
  const inside = join(folder, 'eo');
  mkdirSync(inside);
  const datetime = '2023-07-10T05:30:00Z';
  const scene = await makeScene(inside, { id: 'a', datetime, grid: GRID, red: () => 1000, scl: () => 4 });
  const href = scene.bands['red']?.href ?? '';
  const opened = await openRaster(href);
  const { layout } = opened;
  opened.close();
  const within = [inside];
  const files = new SceneFiles([], { network: new Network() });
  files.get({ layout, nodata: 0, within });
  // Opens more files than a worker may have open, so that the first file is closed.
  for (let nodata = 1; nodata <= 64; nodata += 1) files.get({ layout, nodata, within });
  copyFileSync(href, join(folder, 'outside.tif'));
  symlinkSync(join(folder, 'outside.tif'), join(inside, 'link'));
  renameSync(join(inside, 'link'), href);
  expect(() => files.get({ layout, nodata: 0, within })).toThrow(/_red\.tif: it is outside of the allowed folder/);
});
