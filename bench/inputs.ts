import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { peerEnvironment } from '../scripts/peers.mjs';
import { peers } from './peer.ts';

/** Folder of everything the bench makes; not in version control. */
export const BENCH_FOLDER = resolve(import.meta.dirname, '..', '.bench');

/** A folder of input files, and how it is made. */
interface Input {
  readonly folder: string;
  readonly script: string;
  readonly args: readonly string[];
  /** What to expect. */
  readonly note: string;
}

const RASTERS: Input = { folder: 'in', script: 'make_raster.py', args: [], note: '1 to 2 minutes, 0.8 GB' };
const SMALL_RASTERS: Input = {
  folder: 'in-quick',
  script: 'make_raster.py',
  args: ['--size', '2048', '--big', '0'],
  note: 'under a minute, 0.2 GB',
};
const SCENES: Input = { folder: 'scenes', script: 'make_scenes.py', args: [], note: '2 to 5 minutes, 3.2 GB' };
const SMALL_SCENES: Input = {
  folder: 'scenes-quick',
  script: 'make_scenes.py',
  args: ['--size', '2048', '--dates', '12'],
  note: 'under a minute, 0.4 GB',
};

/** Rasters of decode, ndvi, median, cog_write and zonal; made when missing, undefined with a printed reason where that fails. */
export function rasterFolder(quick: boolean): string | undefined {
  return folderOf(quick ? SMALL_RASTERS : RASTERS);
}

/** Scenes of a tehsil-year with their catalogue and polygons, in the same way. */
export function sceneFolder(quick: boolean): string | undefined {
  return folderOf(quick ? SMALL_SCENES : SCENES);
}

function folderOf({ folder, script, args, note }: Input): string | undefined {
  const target = join(BENCH_FOLDER, folder);
  if (existsSync(target)) return target;
  const where = peers();
  if ('reason' in where) {
    console.log(`inputs ${folder} cannot be made: ${where.reason}`);
    return undefined;
  }
  console.log(`making .bench/${folder} with ${script}: this takes ${note}, once`);
  mkdirSync(BENCH_FOLDER, { recursive: true });
  // Made beside and renamed: a run that is broken off leaves nothing that looks whole.
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const { status } = spawnSync(where.python, [join(where.folder, script), partial, ...args], {
    env: peerEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    console.log(`inputs ${folder} cannot be made: ${script} ended with ${status}`);
    return undefined;
  }
  renameSync(partial, target);
  return target;
}
