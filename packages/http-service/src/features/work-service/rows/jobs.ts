import type { Auth } from '@headwater/identity';
import { DomainError, isDomainError } from '@headwater/core';
import { newRunId } from '@headwater/core/runs';
import type { Ports } from '../../../deps.ts';
import { checkedExport } from '../handlers/export-asset.ts';
import { checkResult } from '../handlers/job-result.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { fieldsBody } from '../../../seam/row-body.ts';
import { absent } from '../../../wire/absent.ts';
import { WORKFLOW_OP } from '../workflow-places.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { JobBody, jobBody, JobParams, JobRequest, JobResult, outcomeOf } from '../schemas/jobs.ts';
import { BODY_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { WORK_ERRORS } from './work-service.ts';

/** Bytes of a result: an answer of export-asset has some 30 kB an Item. */
const RESULT_BYTES = 4 * 1024 * 1024;
/** A job is kept for a week; of ended ones, whose results anybody may have posted, no more than these together. */
const LIMITS = { mostOpen: 100, mostEnded: 200, keepMs: 7 * 86_400_000 } as const;
const UNKNOWN = { params: { id: '0190a000-0000-7000-8000-00000000dead' } };

/** Work that an orchestrator does, for clients that cannot wait for it. */
export function jobOperations(auth: Auth): readonly Operation[] {
  return [startJob(auth), getJob(auth), postResult(auth)];
}

function startJob(auth: Auth): Operation {
  return operation({
    id: 'startJob',
    method: 'POST',
    path: paths.jobs,
    auth,
    tag: 'work service',
    summary: 'Hands a job to the orchestrator, which calls export-asset and posts the result back',
    body: JobRequest,
    responses: { 202: ok('The job', JobBody) },
    errors: [
      ...WORK_ERRORS,
      ...BODY_ERRORS,
      'throttled',
      'unavailable',
      'upstream_failed',
      'upstream_timeout',
      'not_found',
      'conflict',
    ],
    errorFormat: 'compute',
    noStore: true,
    examples: [
      {
        name: 'region',
        body: { op: 'export', params: { region: [85, 24, 85.02, 24.02], year: 2021 } },
        status: 202,
      },
      { name: 'no params', body: { op: 'export' }, status: 400 },
    ],
    async handler({ body }, deps) {
      const { jobs } = deps.workService;
      if (jobs === undefined)
        throw new DomainError(
          'unavailable',
          `This service has no orchestrator that takes jobs. ${deps.remedies.orchestrator}`,
        );
      // Told now, and not by a task of the orchestrator in some minutes.
      checkedExport(body.params, deps);
      const job = { id: newRunId(deps.clock.now()), ...body };
      await deps.stores.jobs.add(job, LIMITS);
      // Told as it was handed over: a fast workflow may have posted its result by the time of the answer, which still says `running`.
      const handedOver = jobBody(await storedJob(job.id, deps));
      await triggered(() => jobs.trigger(job, deps.closing), job.id, deps);
      const location = deps.baseUrl + fill(paths.job, { id: job.id });
      return json(202, handedOver, { location });
    },
  });
}

/** A job that the orchestrator refused has ended: nobody will post its result. */
async function triggered(trigger: () => Promise<void>, id: string, { stores }: Ports<'stores'>): Promise<void> {
  try {
    await trigger();
  } catch (error) {
    const why = isDomainError(error) ? error.message : 'The orchestrator could not be asked.';
    await stores.jobs.finish(id, { ok: false, error: why });
    throw error;
  }
}

function getJob(auth: Auth): Operation {
  return operation({
    id: 'getJob',
    method: 'GET',
    path: paths.job,
    auth,
    tag: 'work service',
    summary: 'How a job gets on; `done` once its result is there',
    description:
      'A job whose run ends at the orchestrator, and that nobody posts a result of, has failed: `error` says why, with lines of the log.',
    params: JobParams,
    responses: { 200: ok('The job', JobBody) },
    errors: [...WORK_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
    errorFormat: 'compute',
    noStore: true,
    examples: [{ name: 'unknown', ...UNKNOWN, status: 404 }],
    async handler({ params }, deps) {
      return json(200, jobBody(await storedJob(params.id, deps)));
    },
  });
}

function postResult(auth: Auth): Operation {
  return operation({
    id: 'postJobResult',
    method: 'POST',
    path: paths.jobResult,
    auth,
    tag: 'work service',
    summary: 'Takes the result of an unfinished job, once; its STAC Items are validated',
    params: JobParams,
    body: fieldsBody(JobResult, { limit: RESULT_BYTES }),
    responses: { 200: ok('The job', JobBody) },
    errors: [...WORK_ERRORS, ...BODY_ERRORS, 'not_found', 'conflict'],
    errorFormat: 'compute',
    noStore: true,
    examples: [
      { name: 'unknown', ...UNKNOWN, body: { ok: false, error: 'the task failed' }, status: 404 },
      { name: 'neither', ...UNKNOWN, body: {}, status: 400 },
    ],
    async handler({ params, body }, deps) {
      await storedJob(params.id, deps);
      if (body.ok) await checkResult(body.result, deps);
      const outcome = await deps.stores.jobs.finish(params.id, outcomeOf(body));
      if (outcome === 'finished')
        throw new DomainError('conflict', 'The job has its result already; it takes no other.');
      return json(200, jobBody(await storedJob(params.id, deps)));
    },
  });
}

async function storedJob(id: string, { stores }: Ports<'stores'>) {
  const job = await stores.jobs.get(id);
  // Runs of the workflow have a place among the jobs too, and no result that is anybody's.
  if (job === undefined || job.op === WORKFLOW_OP) throw absent('job', { id });
  return job;
}
