import { fork } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DomainError, isDiskFull } from '@headwater/core';
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

/** How the sample is asked for. */
export interface SampleOptions {
  /** Absolute path; the sample lies in `eo/headwater-sample`, `places/headwater-sample`, `dem/headwater-sample` and `sample` under it. */
  readonly dataDir: string;
  /** Same seed, same bytes; the default is the reference server's. */
  readonly seed?: number;
  /** Side in km; default: that of the sample which is there, else 4. */
  readonly sizeKm?: number;
  /** Stops the work; what was made so far is removed. */
  readonly signal: AbortSignal;
  /** Called with the share that is done, 0-1. */
  readonly progress: (share: number) => void;
}

/** What the sample is: names and years for the first job. */
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
  /** False when the sample on disk was whole and of this version and seed. */
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
/** Unfinished samples; a killed process may leave one, the next start removes it. */
const UNFINISHED = '.sample-';

/**
 * Makes the embedded synthetic sample in two processes of their own, or finds it whole from an earlier start.
 * Everything is made in a temporary folder of `dataDir` and renamed, the part with the marker last: a kill leaves a whole
 * sample or none. Throws `cancelled` when stopped, `storage_full` when the disk is.
 */
export async function generateSample(options: SampleOptions): Promise<SampleSummary> {
  const seed = options.seed ?? DEFAULT_SEED;
  const paths = samplePaths(options.dataDir);
  await removeUnfinished(options.dataDir);
  const sizeKm = await sampleSize(options.dataDir, options.sizeKm);
  const known = await wholeSample(paths, seed);
  if (known !== undefined) return summary({ ...known, created: false });
  const root = join(options.dataDir, `${UNFINISHED}${process.pid}`);
  try {
    const made = await makeSample({ ...options, seed, sizeKm, root });
    await moveIntoPlace(samplePaths(root), paths);
    return summary({ ...made, created: true });
  } catch (error) {
    throw isDiskFull(error) ? diskFull(error, sizeKm) : error;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * Side in km of the sample that a start will use: the one that is there, else the wanted one, else 4. Throws `validation`
 * where one of another size is there: its place and scenes would lie over each other.
 */
export async function sampleSize(dataDir: string, wanted: number | undefined): Promise<number> {
  const marker = await readMarker(samplePaths(dataDir));
  const sizeKm = wanted ?? marker?.sizeKm ?? BLOCK_KM;
  sampleFrame(sizeKm);
  if (marker === undefined || marker.sizeKm === sizeKm) return sizeKm;
  throw new DomainError(
    'validation',
    `${dataDir} holds a sample of ${marker.sizeKm} km, not ${sizeKm} km; leave the size out to go on with it, or take another data folder`,
  );
}

/** Figures of a sample, as its marker keeps them. */
interface Made {
  readonly seed: number;
  readonly sizeKm: number;
  readonly scenes: number;
  readonly mws: number;
}

function summary(made: Made & { readonly created: boolean }): SampleSummary {
  const { seed, sizeKm, scenes, mws, created } = made;
  return { ...SAMPLE_PLACE, startYear: SAMPLE_YEARS[0], endYear: SAMPLE_YEARS[2], seed, sizeKm, scenes, mws, created };
}

async function makeSample({
  root,
  seed,
  sizeKm,
  signal,
  progress,
}: SampleOptions & { seed: number; sizeKm: number; root: string }): Promise<Made> {
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
  const made = { seed, sizeKm, scenes: scenes.length, mws: place.mws.length };
  await writeJson(paths.marker, { version: SAMPLE_VERSION, ...made });
  return made;
}

/** Runs the tasks side by side; the first failure stops the others, and all processes have ended when this settles. */
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
    throw new DomainError('cancelled', 'Making the sample data was stopped; the next start makes it anew.');
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function runTask(task: SampleTask, signal: AbortSignal, onScene: () => void): Promise<void> {
  if (signal.aborted) return;
  const file = fileURLToPath(new URL(`./sample-process${extname(fileURLToPath(import.meta.url))}`, import.meta.url));
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
      failure = new Error(`The process that makes samples ended with ${killed ?? code}`);
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

async function wholeSample(paths: SamplePaths, seed: number): Promise<Made | undefined> {
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

/** The marker's folder goes away first and comes last: without it the others count as not there. */
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
