import { z } from 'zod';

/**
 * State of a part. `starting`: not ready yet; `warning`: works, but the operator should check it; `off`: not
 * configured. `detail` is only for superusers.
 */
const Part = z
  .object({ state: z.enum(['ok', 'starting', 'warning', 'failing', 'off']), detail: z.string().optional() })
  .meta({ id: 'HealthPart' });

/** State of the service and of each part. */
export const Health = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'failing'])
      .describe(
        'failing (503): a part that is needed to serve data does not work. degraded: published data is served, but the operator should check the parts.',
      ),
    version: z.string().optional().describe('Version of this software; for superusers.'),
    parts: z.object({
      database: Part,
      worker: Part,
      pixels: Part,
      scenes: Part,
      disk: Part,
      files: Part,
      orchestrator: Part.exactOptional().describe('The orchestrator that computes runs; only if one is configured.'),
      boundaries: Part.exactOptional().describe('The download of boundary data; only if one is configured.'),
      bucket: Part.exactOptional().describe('The copies of published files in a bucket; only if one is configured.'),
      queue: Part.exactOptional().describe('The age of the oldest run that waits; only if a limit of this age is set.'),
      backup: Part.exactOptional().describe(
        'The age of the last successful backup; only if a limit of this age is set.',
      ),
      process: Part.exactOptional().describe(
        'State of the process. Present only if the process fails: after a fault from which it cannot recover (restart it), and while the service closes.',
      ),
    }),
  })
  .meta({ id: 'Health' });

/** Typed health report. */
export type HealthReport = z.infer<typeof Health>;

/** Typed state of one part. */
export type HealthPart = z.infer<typeof Part>;

/** Names of the parts. */
export type PartName = keyof HealthReport['parts'];

/** A part that works. */
export function ok(detail: string): HealthPart {
  return { state: 'ok', detail };
}

/** A part that this service does not have. */
export function off(detail: string): HealthPart {
  return { state: 'off', detail };
}

/** A part that does not work. */
export function failing(detail: string): HealthPart {
  return { state: 'failing', detail };
}

/** A report without version and details, for callers who are not superusers. */
export function withoutDetails({ status, parts }: HealthReport): HealthReport {
  const { database, worker, pixels, scenes, disk, files, orchestrator, boundaries, bucket, queue, backup, process } =
    parts;
  const bare = ({ state }: HealthPart): HealthPart => ({ state });
  return {
    status,
    parts: {
      database: bare(database),
      worker: bare(worker),
      pixels: bare(pixels),
      scenes: bare(scenes),
      disk: bare(disk),
      files: bare(files),
      ...(orchestrator === undefined ? {} : { orchestrator: bare(orchestrator) }),
      ...(boundaries === undefined ? {} : { boundaries: bare(boundaries) }),
      ...(bucket === undefined ? {} : { bucket: bare(bucket) }),
      ...(queue === undefined ? {} : { queue: bare(queue) }),
      ...(backup === undefined ? {} : { backup: bare(backup) }),
      ...(process === undefined ? {} : { process: bare(process) }),
    },
  };
}
