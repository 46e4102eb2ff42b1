import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dem } from '../dem/dem.ts';

const NODATA = -9999;

/** Reason why gdaldem is not available. */
export const gdaldemMissing =
  spawnSync('gdaldem', ['--version'], { stdio: 'ignore' }).error === undefined
    ? undefined
    : 'no gdaldem (Debian: gdal-bin)';

/**
 * Output of `gdaldem MODE -compute_edges`, Float32 `[rows * cols]`. `x` and `y` are the sides of a pixel in map units.
 */
export function gdaldem(mode: readonly string[], dem: Dem, [x, y]: readonly [number, number]): Float32Array {
  const folder = mkdtempSync(join(tmpdir(), 'gdaldem-'));
  try {
    const { rows, cols } = dem.grid;
    const input = dem.heights.map((height) => (Number.isNaN(height) ? NODATA : height));
    writeFileSync(join(folder, 'dem.img'), Buffer.from(input.buffer));
    writeFileSync(join(folder, 'dem.hdr'), header({ rows, cols, x, y }));
    const files = [join(folder, 'dem.img'), join(folder, 'out.img')];
    execFileSync('gdaldem', [mode[0]!, ...files, '-of', 'ENVI', '-compute_edges', '-q', ...mode.slice(1)]);
    const bytes = readFileSync(join(folder, 'out.img'));
    // gdaldem writes hillshades as bytes, other planes as float32.
    const isByte = bytes.length === input.length;
    const plane = isByte ? Float32Array.from(bytes) : new Float32Array(new Uint8Array(bytes).buffer);
    return plane.map((value) => (value === NODATA ? Number.NaN : value));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function header({ rows, cols, x, y }: { rows: number; cols: number; x: number; y: number }): string {
  return [
    'ENVI',
    `samples = ${cols}`,
    `lines = ${rows}`,
    'bands = 1',
    'header offset = 0',
    'data type = 4',
    'interleave = bsq',
    'byte order = 0',
    `map info = {UTM, 1, 1, 500000, 2000000, ${x}, ${y}, 43, North, WGS-84}`,
    `data ignore value = ${NODATA}`,
    '',
  ].join('\n');
}

/** Greatest difference of two planes; Infinity if only one plane has data at a pixel. */
export function farthest(ours: Float32Array, theirs: Float32Array): number {
  return ours.reduce((most, value, at) => {
    if (Number.isNaN(value) !== Number.isNaN(theirs[at]!)) return Infinity;
    return Number.isNaN(value) ? most : Math.max(most, Math.abs(value - theirs[at]!));
  }, 0);
}
