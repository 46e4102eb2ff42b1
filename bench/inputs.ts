import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { peerEnvironment } from '../scripts/peers.mjs';
import { peers } from './peer.ts';

/** Folder of all files that the bench creates; not in version control. */
export const BENCH_FOLDER = resolve(import.meta.dirname, '..', '.bench');

interface Input {
  readonly folder: string;
  /** Path of the script: `.py` is relative to the peers' folder, `.ts` to `bench/`. */
  readonly script: string;
  readonly args: readonly string[];
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
const WIDE_SCENES: Input = {
  folder: 'scenes-wide',
  script: 'year/wide-scenes.ts',
  args: [],
  note: '3 to 6 minutes, 1 GB',
};

/**
 * Returns the folder of the bench's rasters, which are created if missing. On failure, prints the reason and returns
 * undefined.
 */
export function rasterFolder(quick: boolean): string | undefined {
  return folderOf(quick ? SMALL_RASTERS : RASTERS);
}

/** Like `rasterFolder`, for the scenes of one tehsil and year. */
export function sceneFolder(quick: boolean): string | undefined {
  return folderOf(quick ? SMALL_SCENES : SCENES);
}

/** Like `rasterFolder`, for the scenes of a square of 80 km in two UTM zones. */
export function wideSceneFolder(): string | undefined {
  return folderOf(WIDE_SCENES);
}

function folderOf({ folder, script, args, note }: Input): string | undefined {
  const target = join(BENCH_FOLDER, folder);
  if (existsSync(target)) return target;
  const command = commandOf(script);
  if ('reason' in command) {
    console.log(`cannot create the inputs ${folder}: ${command.reason}`);
    return undefined;
  }
  console.log(`creating .bench/${folder} once with ${script}; this takes ${note}`);
  mkdirSync(BENCH_FOLDER, { recursive: true });
  // This folder is renamed at the end, so that an aborted run leaves no incomplete inputs.
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const { status } = spawnSync(command.program, [...command.args, partial, ...args], {
    env: peerEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    console.log(`cannot create the inputs ${folder}: ${script} exited with ${status}`);
    return undefined;
  }
  renameSync(partial, target);
  return target;
}

type Command = { readonly program: string; readonly args: readonly string[] } | { readonly reason: string };

function commandOf(script: string): Command {
  if (script.endsWith('.ts'))
    return { program: process.execPath, args: ['--conditions=@headwater/source', join(import.meta.dirname, script)] };
  const where = peers();
  return 'reason' in where ? where : { program: where.python, args: [join(where.folder, script)] };
}
