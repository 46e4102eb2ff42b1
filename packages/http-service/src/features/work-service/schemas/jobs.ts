import type { Job, JobOutcome } from '@headwater/core/ports';
import { z } from 'zod';
import { sentences } from '../../../wire/sentences.ts';

const OPS = ['export'] as const;

const members = z.record(z.string(), z.unknown(), {
  error: ({ input }) => (input === undefined ? sentences.required : sentences.notObject),
});

/** Body of a new job. */
export const JobRequest = z.object({
  op: z
    .enum(OPS, { error: ({ input }) => (input === undefined ? sentences.required : sentences.oneOf(OPS)) })
    .describe('Operation of the job. The only one is `export`, which calls export-asset.'),
  params: members.describe('Parameters of export-asset.'),
});

/** Path parameter of a job. */
export const JobParams = z.object({
  id: z
    .string()
    .min(1)
    .max(100, sentences.tooLong(100))
    .describe('Id of the job, from the response of `POST /api/jobs`.'),
});

/** Path parameter of a result. */
export const JobResultParams = z.object({
  id: JobParams.shape.id.describe('Secret id of the job: the `run_id` that its workflow gets in its conf.'),
});

const LONGEST_ERROR = 4000;

/** Body of a result: the result of a successful job, or the reason of a failure. */
export const JobResult = z.discriminatedUnion(
  'ok',
  [
    z.object({
      ok: z.literal(true),
      result: members.describe('Response of export-asset, with at least one STAC Item.'),
    }),
    z.object({ ok: z.literal(false), error: z.string(sentences.notText).describe('Reason of the failure.') }),
  ],
  { error: 'Send ok true with result, or ok false with error.' },
);

/** A job in wire form. */
export const JobBody = z
  .object({
    run_id: z.string().describe('Id of the job, and of the run at the orchestrator.'),
    op: z.enum(OPS),
    state: z.enum(['running', 'success', 'failed']),
    done: z.boolean(),
    success: z.boolean(),
    result: members.optional().describe('Result, unchanged as the workflow posted it.'),
    error: z.string().optional(),
    year: z
      .int()
      .exactOptional()
      .describe('Hydrological year of the job. Present only in the response of `POST /api/jobs`.'),
    note: z
      .string()
      .exactOptional()
      .describe('Present if no year was sent: the year that the service chose, and the reason.'),
    created_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'Job' });

/** Converts a posted result to its stored form. A long reason is cut. */
export function outcomeOf(posted: z.infer<typeof JobResult>): JobOutcome {
  if (posted.ok) return { ok: true, result: posted.result };
  return { ok: false, error: posted.error.slice(0, LONGEST_ERROR).toWellFormed() };
}

/** Converts a job to its wire form. */
export function jobBody({ id, outcome, createdAt, finishedAt }: Job): z.infer<typeof JobBody> {
  const [op] = OPS;
  const shared = { run_id: id, op, created_at: createdAt, finished_at: finishedAt };
  if (outcome === null) return { ...shared, state: 'running', done: false, success: false };
  return outcome.ok
    ? { ...shared, state: 'success', done: true, success: true, result: outcome.result }
    : { ...shared, state: 'failed', done: true, success: false, error: outcome.error };
}
