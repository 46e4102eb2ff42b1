import { DomainError, isDomainError } from '@headwater/core';
import { newRunId } from '@headwater/core/runs';
import { isObject } from '@headwater/core/values';
import type { Auth } from '@headwater/identity';
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
import { checkedExport } from '../handlers/export-asset.ts';
import { jobBody, JobBody, JobParams, JobRequest, JobResult, outcomeOf } from '../schemas/jobs.ts';
import { WORKFLOW_OP } from '../workflow-places.ts';
import { WORK_ERRORS } from './work-service.ts';

type Result = Readonly<Record<string, unknown>>;

/** Most faults of Items that a refusal tells. */
const MOST_TOLD = 5;
/** Most files of a result: a layer of twenty years has some 150. */
const MOST_FILES = 1000;
const FIRST_FAILURE = 400;

/** Throws `validation`, naming the member, for a result that has no STAC Item, one that is broken, or one whose file this service should have and has not. */
async function checkResult(result: Result, { statusOf }: Ports<'statusOf'>): Promise<void> {
  const items = itemsOf(result);
  if (items.length === 0) throw badMember('result', sentences.noItem);
  for (const [where, item] of items) {
    if (!isObject(item)) throw badMember(`result.${where}`, sentences.notObject);
    const faults = validateItem(item, 'headwater').filter(({ severity }) => severity === 'error');
    if (faults.length === 0) continue;
    const told = faults.slice(0, MOST_TOLD).map(describeFinding).join('; ');
    throw badMember(`result.${where}`, faults.length > MOST_TOLD ? `${told}; and more` : told);
  }
  await checkFiles(
    items.flatMap(([where, item]) => filesOf(item, where)),
    statusOf,
  );
}

/** Addresses of an Item's files with the names of their members. */
function filesOf(item: unknown, where: string): readonly (readonly [member: string, href: string])[] {
  const assets: unknown = isObject(item) ? item['assets'] : undefined;
  return Object.entries(isObject(assets) ? assets : {}).flatMap(([name, asset]) => {
    const href: unknown = isObject(asset) ? asset['href'] : undefined;
    return typeof href === 'string' ? [[`result.${where}.assets.${name}.href`, href] as const] : [];
  });
}

/** Files elsewhere are not asked for: whoever may post would choose whom this service calls. */
async function checkFiles(files: ReturnType<typeof filesOf>, statusOf: ServiceDeps['statusOf']): Promise<void> {
  if (files.length > MOST_FILES) throw badMember('result', sentences.tooManyFiles(MOST_FILES));
  for (const [member, href] of files) {
    const status = await statusOf(href);
    if (status !== undefined && status >= FIRST_FAILURE) throw badMember(member, sentences.noFileHere);
  }
}

/** The Items of a result with the names of their members: the list, and the one that readers of the live system look at. */
function itemsOf(result: Result): readonly (readonly [where: string, item: unknown])[] {
  const { stac_items: list, stac_spec: first } = result;
  if (list !== undefined && list !== null && !Array.isArray(list))
    throw badMember('result.stac_items', sentences.notList);
  const listed = Array.isArray(list) ? list.map((item: unknown, at) => [`stac_items.${at}`, item] as const) : [];
  return first === undefined || first === null ? listed : [...listed, ['stac_spec', first] as const];
}

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
