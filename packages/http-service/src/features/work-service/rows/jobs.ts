import { DomainError, isDomainError } from '@headwater/core';
import type { Job } from '@headwater/core/ports';
import { isObject } from '@headwater/core/values';
import type { Policy } from '@headwater/identity';
import { describeFinding, validateItem } from '@headwater/stac';
import type { Ports, ServiceDeps } from '../../../deps.ts';
import { BODY_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { fieldsBody } from '../../../seam/row-body.ts';
import { absent } from '../../../wire/absent.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { badMember } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import type { WorkCaller } from '../callers.ts';
import { checkedExport, limitedTo } from '../handlers/export-asset.ts';
import { jobOfPost, newJobIds } from '../job-ids.ts';
import { jobBody, JobBody, JobParams, JobRequest, JobResult, JobResultParams, outcomeOf } from '../schemas/jobs.ts';
import { WORKFLOW_OP } from '../workflow-slots.ts';
import { WORK_ERRORS } from './work-service.ts';

type Result = Readonly<Record<string, unknown>>;

const MAX_FAULTS = 5;
/** Maximum number of files of a result. The layer of twenty years has about 150 files. */
const MOST_FILES = 1000;
const FIRST_FAILURE = 400;

/** Throws `validation` if an Item is missing or invalid, or if a file of this service is missing. */
async function checkResult(result: Result, { statusOf }: Ports<'statusOf'>): Promise<void> {
  const items = itemsOf(result);
  if (items.length === 0) throw badMember('result', sentences.noItem);
  for (const [where, item] of items) {
    if (!isObject(item)) throw badMember(`result.${where}`, sentences.notObject);
    const faults = validateItem(item, 'headwater').filter(({ severity }) => severity === 'error');
    if (faults.length === 0) continue;
    const message = faults.slice(0, MAX_FAULTS).map(describeFinding).join('; ');
    throw badMember(`result.${where}`, faults.length > MAX_FAULTS ? `${message}; and more` : message);
  }
  await checkFiles(
    items.flatMap(([where, item]) => filesOf(item, where)),
    statusOf,
  );
}

function filesOf(item: unknown, where: string): readonly (readonly [member: string, href: string])[] {
  const assets: unknown = isObject(item) ? item['assets'] : undefined;
  return Object.entries(isObject(assets) ? assets : {}).flatMap(([name, asset]) => {
    const href: unknown = isObject(asset) ? asset['href'] : undefined;
    return typeof href === 'string' ? [[`result.${where}.assets.${name}.href`, href] as const] : [];
  });
}

/**
 * Checks that the files on this service exist. Files on other servers are not requested, because a sender could name
 * any server.
 */
async function checkFiles(files: ReturnType<typeof filesOf>, statusOf: ServiceDeps['statusOf']): Promise<void> {
  if (files.length > MOST_FILES) throw badMember('result', sentences.tooManyFiles(MOST_FILES));
  for (const [member, href] of files) {
    const status = await statusOf(href);
    if (status !== undefined && status >= FIRST_FAILURE) throw badMember(member, sentences.noFileHere);
  }
}

/** The Items of `stac_items` and `stac_spec`. Existing clients read `stac_spec`. */
function itemsOf(result: Result): readonly (readonly [where: string, item: unknown])[] {
  const { stac_items: list, stac_spec: first } = result;
  if (list !== undefined && list !== null && !Array.isArray(list))
    throw badMember('result.stac_items', sentences.notList);
  const listed = Array.isArray(list) ? list.map((item: unknown, at) => [`stac_items.${at}`, item] as const) : [];
  return first === undefined || first === null ? listed : [...listed, ['stac_spec', first] as const];
}

const RESULT_BYTES = 4 * 1024 * 1024;
const JOB_BYTES = 64 * 1024;
/** Limits of stored jobs. An ended job is stored for at most a week. */
const LIMITS = { mostOpen: 100, mostEnded: 200, keepMs: 7 * 86_400_000 } as const;
const MOST_RESULT_BYTES = 64 * 1024 * 1024;
const UNKNOWN = { params: { id: '0190a000-0000-7000-8000-00000000dead' } };

/** Operations of jobs. An orchestrator computes a job, and the client need not wait. */
export function jobOperations(auth: Policy<WorkCaller>): readonly Operation[] {
  return [startJob(auth), getJob(auth), postResult(auth)];
}

function startJob(auth: Policy<WorkCaller>): Operation {
  return operation({
    id: 'startJob',
    method: 'POST',
    path: paths.jobs,
    auth,
    tag: 'work service',
    summary: 'Gives a job to the orchestrator, which calls export-asset and posts the result back',
    description:
      'A job has two ids. With the `run_id` of this response, clients read the state of the job. The workflow gets another `run_id` in its conf, and posts the result with it. One address may start a limited number of jobs in ten minutes.',
    body: fieldsBody(JobRequest, { limit: JOB_BYTES }),
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
    async handler({ body, principal }, deps) {
      const { jobs } = deps.workService;
      if (jobs === undefined)
        throw new DomainError(
          'unavailable',
          `This service has no orchestrator for jobs. ${deps.remedies.orchestrator}`,
        );
      // Counted before the check, so that refused jobs count too: the check may search the scene catalogues.
      if (principal.isCounted) await deps.countJob(principal.key);
      // Checked now, so that the caller gets the error. Otherwise the orchestrator's task would get it minutes later.
      const { chosen } = await checkedExport(body.params, limitedTo(principal, deps));
      const { secretId, ...ids } = newJobIds();
      // The workflow must compute the year that the response names.
      const params = chosen.note === undefined ? body.params : { ...body.params, year: chosen.year };
      const job = { ...ids, op: body.op, params };
      await deps.stores.jobs.add(job, LIMITS);
      // Read before the trigger, so that the response does not depend on how fast the workflow ends.
      const stored = jobBody(await storedJob(job.id, deps));
      await triggered(() => jobs.trigger({ ...job, secretId }, deps.closing), job.id, deps);
      const location = deps.baseUrl + fill(paths.job, { id: job.id });
      return json(202, { ...stored, ...chosen }, { location });
    },
  });
}

/**
 * Triggers a job. If no run was started, the job ends with an error. After a timeout the run may exist, so the job
 * stays open.
 */
async function triggered(trigger: () => Promise<void>, id: string, { stores }: Ports<'stores'>): Promise<void> {
  try {
    await trigger();
  } catch (error) {
    if (isDomainError(error) && error.code === 'upstream_timeout') throw error;
    const why = isDomainError(error)
      ? error.message
      : 'The orchestrator could not be reached; check that it runs, then start the job again.';
    await stores.jobs.finish(id, { ok: false, error: why });
    throw error;
  }
}

function getJob(auth: Policy<WorkCaller>): Operation {
  return operation({
    id: 'getJob',
    method: 'GET',
    path: paths.job,
    auth,
    tag: 'work service',
    summary: 'Returns the state of a job; `done` is true when the job has succeeded or failed',
    description:
      'A job fails if its run at the orchestrator ends and no result is posted: `error` is the reason, with lines of the log.',
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

function postResult(auth: Policy<WorkCaller>): Operation {
  return operation({
    id: 'postJobResult',
    method: 'POST',
    path: paths.jobResult,
    auth,
    tag: 'work service',
    summary: 'Stores the result of an unfinished job, once; validates its STAC Items',
    description:
      'Only the workflow of the job calls this operation. `{id}` is the `run_id` that the workflow gets in its conf, not the `run_id` in the response of `POST /api/jobs`.',
    params: JobResultParams,
    body: fieldsBody(JobResult, { limit: RESULT_BYTES }),
    responses: { 200: ok('The job', JobBody) },
    errors: [...WORK_ERRORS, ...BODY_ERRORS, 'not_found', 'conflict'],
    errorFormat: 'compute',
    noStore: true,
    secretPath: true,
    examples: [
      { name: 'unknown', ...UNKNOWN, body: { ok: false, error: 'the task failed' }, status: 404 },
      { name: 'neither result nor error', ...UNKNOWN, body: {}, status: 400 },
    ],
    async handler({ params, body }, deps) {
      const id = jobOfPost(params.id);
      if ((await findJob(id, deps)) === undefined) throw new DomainError('not_found', sentences.noJobToPost);
      if (body.ok) await checkResult(body.result, deps);
      const outcome = await deps.stores.jobs.finish(id, outcomeOf(body), MOST_RESULT_BYTES);
      if (outcome === 'finished')
        throw new DomainError(
          'conflict',
          'The job already has a result, which cannot be replaced. If an earlier attempt posted it, nothing is left to do.',
        );
      return json(200, jobBody(await storedJob(id, deps)));
    },
  });
}

async function storedJob(id: string, deps: Ports<'stores'>): Promise<Job> {
  const job = await findJob(id, deps);
  if (job === undefined) throw absent('job', { id });
  return job;
}

async function findJob(id: string, { stores }: Ports<'stores'>): Promise<Job | undefined> {
  const job = await stores.jobs.get(id);
  // Slots of workflow runs are stored like jobs, but are not jobs.
  return job?.op === WORKFLOW_OP ? undefined : job;
}
