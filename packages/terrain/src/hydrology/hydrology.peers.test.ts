import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPeers, interpretedEnvironment } from '../../../../scripts/peers.mjs';
import type { Dem } from '../dem/dem.ts';
import { roughSurface, surface, utmGrid } from '../dem/surfaces.fixture.ts';
import { accumulatedCells } from './accumulate.ts';
import { flowOf } from './flow.ts';

/** Python program that writes filled heights (float32), D8 codes (int32) and accumulation (float64) of pysheds. */
const PYSHEDS = `
import sys
import numpy as np
np.in1d = getattr(np, "in1d", np.isin)  # pysheds 0.5 needs in1d, which NumPy 2.4 removed
from affine import Affine
from pysheds.grid import Grid
from pysheds.view import Raster, ViewFinder
folder, rows, cols = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
heights = np.fromfile(folder + "/dem.raw", dtype="<f4").astype("float64").reshape(rows, cols)
view = ViewFinder(affine=Affine(30, 0, 500000, 0, -30, 2000000), shape=heights.shape, nodata=np.float64(-9999))
dem = Raster(heights, view)
grid = Grid.from_raster(dem)
np.asarray(grid.fill_depressions(grid.fill_pits(dem))).astype("<f4").tofile(folder + "/filled.raw")
directions = grid.flowdir(dem)
np.asarray(directions).astype("<i4").tofile(folder + "/directions.raw")
np.asarray(grid.accumulation(directions)).astype("<f8").tofile(folder + "/cells.raw")
`;

/** Timeout, ms; a comparison takes ten seconds on a busy machine. */
const TIMEOUT_MS = 240_000;

const peers = findPeers({ modules: ['numpy', 'pysheds'] });
if ('reason' in peers) console.warn(`flow against pysheds: skipped, ${peers.reason}`);

// A hook creates the folder. If all cases are skipped, no hook runs, so no hook would remove a folder that was created
// here.
let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'headwater-pysheds-'))));
afterAll(() => rmSync(folder, { recursive: true }));

interface PyshedsResult {
  readonly filled: Float32Array;
  readonly directions: Int32Array;
  readonly cells: Float64Array;
}

function pysheds({ grid, heights }: Dem): PyshedsResult {
  writeFileSync(join(folder, 'dem.raw'), new Uint8Array(heights.buffer));
  const args = ['-c', PYSHEDS, folder, String(grid.rows), String(grid.cols)];
  const run = spawnSync('python' in peers ? peers.python : '', args, {
    env: interpretedEnvironment(),
    encoding: 'utf8',
  });
  expect(run.status, run.stderr).toBe(0);
  const read = (name: string): ArrayBuffer => new Uint8Array(readFileSync(join(folder, `${name}.raw`))).buffer;
  return {
    filled: new Float32Array(read('filled')),
    directions: new Int32Array(read('directions')),
    cells: new Float64Array(read('cells')),
  };
}

/**
 * The filled DEM without pits, flats and equal heights: each cell is 1/64 m higher for each cell before it in the order
 * of the flood.
 */
function drained(dem: Dem): Dem {
  const { order, filled } = flowOf(dem);
  const turn = new Float64Array(filled.length);
  order.forEach((at, k) => {
    turn[at] = k;
  });
  return surface(dem.grid, (row, col) => {
    const at = row * dem.grid.cols + col;
    return (Math.floor(64 * filled[at]!) + turn[at]!) / 64;
  });
}

describe.skipIf('reason' in peers)('flow equals pysheds', () => {
  const hills = roughSurface(utmGrid(150, 210));
  const plain = roughSurface(utmGrid(90, 80), { relief: 12 });

  it.each([
    ['hills', hills],
    ['lowland in whole metres', surface(plain.grid, (row, col) => Math.round(plain.heights[row * 80 + col]!))],
  ])(
    'in every filled height: %s',
    (_, dem) => {
      const { filled } = flowOf(dem);
      expect(filled).not.toEqual(dem.heights);
      expect(filled).toEqual(pysheds(dem).filled);
    },
    TIMEOUT_MS,
  );

  it.each([
    ['hills', hills],
    ['mountains', roughSurface(utmGrid(300, 200), { seed: 9, relief: 3000 })],
  ])(
    'in direction and accumulation of every cell of a filled DEM with distinct heights: %s',
    (_, rough) => {
      const dem = drained(rough);
      expect(new Set(dem.heights).size).toBe(dem.heights.length);
      const ours = flowOf(dem);
      const theirs = pysheds(dem);
      expect(ours.filled).toEqual(dem.heights);
      // pysheds writes -2 for a border cell without a lower neighbour, where we write 0.
      expect(Int32Array.from(ours.directions)).toEqual(theirs.directions.map((code) => Math.max(code, 0)));
      expect(Float64Array.from(accumulatedCells(ours))).toEqual(theirs.cells);
    },
    TIMEOUT_MS,
  );
});
