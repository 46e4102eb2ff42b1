// Writes a part of the sample in a child process, because a thread would not return its memory to the system.
import { type ErrorCode, isDomainError } from '@headwater/core';
import { sampleFrame } from './sample-frame.ts';
import { sceneDates } from './scene-calendar.ts';
import { writeScene, writeTruth } from './scene-files.ts';
import { sampleWorld } from './scene-painter.ts';
import { samplePaths } from './sample-paths.ts';

/**
 * Task of a child process (JSON in its first argument): every `of`-th scene, from scene `part` on. Part 0 also writes
 * the true maps.
 */
export interface SampleTask {
  readonly seed: number;
  readonly sizeKm: number;
  readonly part: number;
  readonly of: number;
  readonly root: string;
}

/** Message of a child process: `scene` for each written scene, or the error that ended the process. */
export type SampleMessage = 'scene' | { readonly code: ErrorCode; readonly message: string };

const send = async (message: SampleMessage): Promise<void> => {
  const sent = Promise.withResolvers<void>();
  process.send?.(message, () => sent.resolve());
  await sent.promise;
};

/** Writes the files of a task, and reports each written scene to the parent process. */
async function work({ seed, sizeKm, part, of, root }: SampleTask): Promise<void> {
  const paths = samplePaths(root);
  const world = sampleWorld(seed, sampleFrame(sizeKm));
  if (part === 0) await writeTruth(world, paths.sample);
  for (const [i, scene] of sceneDates(seed).entries()) {
    if (i % of !== part) continue;
    await writeScene(world, scene, paths.scenes);
    await send('scene');
  }
}

// Ignores the signals of a terminal, because the parent ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(1));

try {
  await work(JSON.parse(process.argv[2] ?? '') as SampleTask);
} catch (error) {
  await send(
    isDomainError(error)
      ? { code: error.code, message: error.message }
      : { code: 'internal', message: `The sample data could not be written: ${String(error)}` },
  );
}
process.exit(0);
