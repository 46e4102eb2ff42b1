import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorCode, isDomainError } from '@headwater/core';
import { sampleFrame } from './sample-frame.ts';
import { sceneDates } from './scene-calendar.ts';
import { writeScene, writeTruth } from './scene-files.ts';
import { sampleWorld } from './scene-painter.ts';
import { samplePaths } from './sample-paths.ts';

/** What a worker is told: it writes every `of`-th scene starting with `part`; part 0 also writes the true maps. */
export interface SampleTask {
  readonly seed: number;
  readonly sizeKm: number;
  readonly part: number;
  readonly of: number;
  /** Root under which the parts of the sample are made. */
  readonly root: string;
}

/** What a worker tells: a scene is written, or the expected failure that ended it (an Error loses its brand between threads). */
export type SampleMessage = 'scene' | { readonly code: ErrorCode; readonly message: string };

const tell = (message: SampleMessage): void => parentPort?.postMessage(message, []);

/** Runs one share of the sample and posts a message after each scene. */
async function work({ seed, sizeKm, part, of, root }: SampleTask): Promise<void> {
  const paths = samplePaths(root);
  const world = sampleWorld(seed, sampleFrame(sizeKm));
  if (part === 0) await writeTruth(world, paths.sample);
  for (const [i, scene] of sceneDates(seed).entries()) {
    if (i % of !== part) continue;
    await writeScene(world, scene, paths.scenes);
    tell('scene');
  }
}

try {
  await work(workerData as SampleTask);
} catch (error) {
  if (!isDomainError(error)) throw error;
  tell({ code: error.code, message: error.message });
}
