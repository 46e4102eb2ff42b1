import { fork } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DomainError, isDiskFull } from '@headwater/core';
import { workerUrl } from '@headwater/net/files';
import { z } from 'zod';
import { writePlace } from '@headwater/ingest';
import { BLOCK_KM, DEFAULT_SEED, SAMPLE_PLACE, SAMPLE_VERSION, SAMPLE_YEARS, sampleFrame } from './sample-frame.ts';
import { DEM_FILE, writeSampleDem } from './sample-dem.ts';
import { samplePaths } from './sample-paths.ts';
import type { SamplePaths } from './sample-paths.ts';
import { samplePlace } from './sample-places.ts';
import type { SampleMessage, SampleTask } from './sample-process.ts';
import { sceneDates } from './scene-calendar.ts';
import { writeCatalogue, writeJson } from './scene-files.ts';

/** Folder, seed and size of a sample, and the callbacks of its generation. */
export interface SampleOptions {
  /**
   * Absolute path. The sample is below it in `eo/headwater-sample`, `places/headwater-sample`, `dem/headwater-sample`
   * and `sample`.
   */
  readonly dataDir: string;
  /** The same seed gives the same bytes; default: the seed of the reference server. */
  readonly seed?: number;
  /** Side in km; default: the side of the sample on disk, otherwise 4. */
  readonly sizeKm?: number;
  /** Stops the generation. Unfinished files are then removed. */
  readonly signal: AbortSignal;
  /** Called with the finished share, 0-1. */
  readonly progress: (share: number) => void;
}

/** Names, years and figures of a sample, for its first computation. */
export interface SampleSummary {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
  readonly startYear: number;
  readonly endYear: number;
  readonly seed: number;
  readonly sizeKm: number;
  readonly scenes: number;
  readonly mws: number;
  /** False if a complete sample of this version and seed was already on disk. */
  readonly created: boolean;
}

const MARKER = z.object({
  version: z.number(),
  seed: z.number(),
  sizeKm: z.number().default(BLOCK_KM),
  scenes: z.number(),
  mws: z.number(),
});
const PROCESSES = 2;
/** Prefix of the folder of an unfinished sample. A killed process may leave this folder; the next start removes it. */
const UNFINISHED = '.sample-';

/**
 * Generates the synthetic sample in two child processes, unless a complete sample exists. A killed process leaves a
 * complete sample or none. Throws `cancelled` if the generation is stopped, `storage_full` if the disk is full, and the
 * errors of `sampleSize`.
 */
export async function generateSample(options: SampleOptions): Promise<SampleSummary> {
  const seed = options.seed ?? DEFAULT_SEED;
  const paths = samplePaths(options.dataDir);
  await removeUnfinished(options.dataDir);
  const sizeKm = await sampleSize(options.dataDir, options.sizeKm);
  const complete = await completeSample(paths, seed);
  if (complete !== undefined) return summary({ ...complete, created: false });
  const root = join(options.dataDir, `${UNFINISHED}${process.pid}`);
  try {
    const figures = await writeSample({ ...options, seed, sizeKm, root });
    await moveIntoPlace(samplePaths(root), paths);
    return summary({ ...figures, created: true });
  } catch (error) {
    throw isDiskFull(error) ? diskFull(error, sizeKm) : error;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * Side in km of the sample that a start will use: `wanted`, the side of the sample on disk, or 4. Throws `validation`
 * if `wanted` differs from the sample on disk, or if the side is not possible (see `sampleFrame`).
 */
export async function sampleSize(dataDir: string, wanted: number | undefined): Promise<number> {
  const marker = await readMarker(samplePaths(dataDir));
  const sizeKm = wanted ?? marker?.sizeKm ?? BLOCK_KM;
  sampleFrame(sizeKm);
  if (marker === undefined || marker.sizeKm === sizeKm) return sizeKm;
  throw new DomainError(
    'validation',
    `${dataDir} contains a sample of ${marker.sizeKm} km, not ${sizeKm} km; leave the size out to use that sample, or choose another data folder`,
  );
}

interface SampleFigures {
  readonly seed: number;
  readonly sizeKm: number;
  readonly scenes: number;
  readonly mws: number;
}

function summary(figures: SampleFigures & { readonly created: boolean }): SampleSummary {
  const { seed, sizeKm, scenes, mws, created } = figures;
  return { ...SAMPLE_PLACE, startYear: SAMPLE_YEARS[0], endYear: SAMPLE_YEARS[2], seed, sizeKm, scenes, mws, created };
}

async function writeSample({
  root,
  seed,
  sizeKm,
  signal,
  progress,
}: SampleOptions & { seed: number; sizeKm: number; root: string }): Promise<SampleFigures> {
  const frame = sampleFrame(sizeKm);
  const paths = samplePaths(root);
  const scenes = sceneDates(seed);
  const place = samplePlace(seed, frame);
  await writeCatalogue(scenes, frame, paths.scenes);
  await writePlace(paths.places, place);
  await writeSampleDem(seed, frame, paths.dem);
  let done = 0;
  const onScene = (): void => progress((done += 1) / scenes.length);
  const tasks = Array.from({ length: PROCESSES }, (_, part): SampleTask => ({
    seed,
    sizeKm,
    part,
    of: PROCESSES,
    root,
  }));
  await runAll(tasks, signal, onScene);
  const figures = { seed, sizeKm, scenes: scenes.length, mws: place.mws.length };
  await writeJson(paths.marker, { version: SAMPLE_VERSION, ...figures });
  return figures;
}

/**
 * Runs all tasks in child processes. The first failure stops the other tasks. The promise settles when all child
 * processes have ended.
 */
async function runAll(tasks: readonly SampleTask[], signal: AbortSignal, onScene: () => void): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const runs = tasks.map(async (task) => {
    try {
      await runTask(task, either, onScene);
    } catch (error) {
      stop.abort();
      throw error;
    }
  });
  const outcomes = await Promise.allSettled(runs);
  if (signal.aborted)
    throw new DomainError('cancelled', 'Generating the sample data was stopped; the next start generates it again.');
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function runTask(task: SampleTask, signal: AbortSignal, onScene: () => void): Promise<void> {
  if (signal.aborted) return;
  const file = fileURLToPath(workerUrl('./sample-process', import.meta.url, '@headwater/sample-world'));
  const child = fork(file, [JSON.stringify(task)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = Promise.withResolvers<void>();
  let failure: Error | undefined;
  const stop = (): void => void child.kill('SIGKILL');
  child.on('message', (message: SampleMessage) => {
    if (message === 'scene') onScene();
    else failure = new DomainError(message.code, message.message);
  });
  child.once('error', ended.reject);
  child.once('exit', (code, killed) => {
    if (failure === undefined && code !== 0)
      failure = new Error(`The child process that generates samples ended with ${killed ?? code}`);
    if (failure === undefined) ended.resolve();
    else ended.reject(failure);
  });
  signal.addEventListener('abort', stop);
  try {
    await ended.promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function diskFull(cause: unknown, sizeKm: number): DomainError {
  const need = 75 * (sizeKm / BLOCK_KM) ** 2;
  const message = `The disk is full: the sample data need ${need} MB in the data folder. Free some space or start without the sample.`;
  return new DomainError('storage_full', message, { cause });
}

async function completeSample(paths: SamplePaths, seed: number): Promise<SampleFigures | undefined> {
  try {
    const marker = await readMarker(paths);
    await stat(join(paths.scenes, 'collection.json'));
    await stat(join(paths.places, 'boundary.geojson'));
    await stat(join(paths.dem, DEM_FILE));
    return marker?.version === SAMPLE_VERSION && marker.seed === seed ? marker : undefined;
  } catch {
    return undefined;
  }
}

async function readMarker({ marker }: SamplePaths): Promise<z.infer<typeof MARKER> | undefined> {
  try {
    return MARKER.parse(JSON.parse(await readFile(marker, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Moves a finished sample into place. The folder with the marker file is removed first and moved last, so that a sample
 * counts as incomplete after an interrupted move.
 */
async function moveIntoPlace(from: SamplePaths, to: SamplePaths): Promise<void> {
  await rm(to.sample, { recursive: true, force: true });
  for (const part of ['scenes', 'places', 'dem', 'sample'] as const) {
    await rm(to[part], { recursive: true, force: true });
    await mkdir(dirname(to[part]), { recursive: true });
    await rename(from[part], to[part]);
  }
}

async function removeUnfinished(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(UNFINISHED)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}
