import { z } from 'zod';

const Part = z.object({ state: z.enum(['ok', 'off', 'failing']), detail: z.string() }).meta({ id: 'HealthPart' });

/** State of the service and of each of its parts. */
export const Health = z
  .object({
    status: z.enum(['ok', 'failing']),
    version: z.string(),
    parts: z.object({ database: Part, worker: Part, pixels: Part, disk: Part }),
  })
  .meta({ id: 'Health' });

/** Typed health answer. */
export type HealthReport = z.infer<typeof Health>;

/** Typed state of one part. */
export type HealthPart = z.infer<typeof Part>;
