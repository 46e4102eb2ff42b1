import { type WorkServiceOptions, WORK_SERVICE } from '@headwater/http-service';
import { z } from 'zod';
import { address, list, whole } from './config-fields.ts';

/** Shortest shared secret: below it, it can be tried out. */
const SHORTEST_SECRET = 16;

/** Variables of the routes that compute regions for whoever asks. */
export const WORK_SERVICE_FIELDS = {
  WORK_SERVICE_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected letters, digits and signs of ASCII without blanks, as a header can carry them')
    .min(SHORTEST_SECRET, `expected at least ${SHORTEST_SECRET} characters`)
    .optional(),
  WORK_SERVICE_ADDRESSES: list(address),
  WORK_SERVICE_AT_ONCE: whole(1, 1000).default(WORK_SERVICE.atOnce),
  WORK_SERVICE_WAITING: whole(0, 100_000).default(WORK_SERVICE.waiting),
  DAG_API_UNFINISHED: whole(1, 10_000).default(WORK_SERVICE.workflowRuns),
  WORK_SERVICE_MAX_KM2: whole(1, 1_000_000).default(WORK_SERVICE.maxKm2),
} as const;

type Values = z.output<z.ZodObject<typeof WORK_SERVICE_FIELDS>>;

/** How the work service is kept. */
export function workService(values: Values): WorkServiceOptions {
  const { WORK_SERVICE_SECRET: secret, WORK_SERVICE_ADDRESSES: addresses } = values;
  return {
    ...(secret === undefined ? {} : { secret }),
    addresses,
    atOnce: values.WORK_SERVICE_AT_ONCE,
    waiting: values.WORK_SERVICE_WAITING,
    maxKm2: values.WORK_SERVICE_MAX_KM2,
    workflowRuns: values.DAG_API_UNFINISHED,
  };
}
