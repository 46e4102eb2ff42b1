// Writes a share of the sample. A process of its own: what a thread took is not given back to the system when it ends.
import { type ErrorCode, isDomainError } from '@headwater/core';
import { sampleFrame } from './sample-frame.ts';
import { sceneDates } from './scene-calendar.ts';
import { writeScene, writeTruth } from './scene-files.ts';
import { sampleWorld } from './scene-painter.ts';
import { samplePaths } from './sample-paths.ts';

/** What a process is told, as JSON in its first argument: it writes every `of`-th scene starting with `part`; part 0 also writes the true maps. */
export interface SampleTask {
  readonly seed: number;
  readonly sizeKm: number;
  readonly part: number;
  readonly of: number;
  /** Root under which the parts of the sample are made. */
  readonly root: string;
}

/** What a process tells: a scene is written, or the failure that ended it (an Error loses its brand between processes). */
export type SampleMessage = 'scene' | { readonly code: ErrorCode; readonly message: string };

const tell = async (message: SampleMessage): Promise<void> => {
  const told = Promise.withResolvers<void>();
  process.send?.(message, () => told.resolve());
  await told.promise;
};

/** Runs one share of the sample and tells of each scene. */
async function work({ seed, sizeKm, part, of, root }: SampleTask): Promise<void> {
  const paths = samplePaths(root);
  const world = sampleWorld(seed, sampleFrame(sizeKm));
  if (part === 0) await writeTruth(world, paths.sample);
  for (const [i, scene] of sceneDates(seed).entries()) {
    if (i % of !== part) continue;
    await writeScene(world, scene, paths.scenes);
    await tell('scene');
  }
}

// Whoever started it ends it: a terminal sends its signals to both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(1));

try {
  await work(JSON.parse(process.argv[2] ?? '') as SampleTask);
} catch (error) {
  await tell(
    isDomainError(error)
      ? { code: error.code, message: error.message }
      : { code: 'internal', message: `The sample data could not be written: ${String(error)}` },
  );
}
process.exit(0);
