import { type AnyPipeline, DomainError, type Run } from '@headwater/core';
import { hasEnded, isTokenOf } from '@headwater/core/runs';
import type { User } from '@headwater/identity';
import { checkedExport, readWireParameters, WORK_SERVICE, type WorkServiceOptions } from '@headwater/http-service';
import type { Publishing, Runner } from './open-runner.ts';
import { AS_SUPERUSER, type Parameters } from './run-options.ts';

/** Run of a request: new, in progress, or ended with a stored result. */
export interface StartedAlgorithm {
  readonly run: Run;
  readonly joined: boolean;
  readonly reused: boolean;
  /** Sentence with the chosen year and the reason. Absent if a year was sent. */
  readonly note?: string | undefined;
}

/** Request to run an algorithm. */
export interface AlgorithmRequest {
  readonly pipeline: AnyPipeline;
  readonly parameters: Parameters;
  readonly signal: AbortSignal;
  readonly publishing: Publishing;
  /** Limits of the service for regions. */
  readonly workService: Pick<WorkServiceOptions, 'maxKm2'>;
  /** True if the operator runs the command, false if the parameters come from others. */
  readonly asSuperuser: boolean;
}

/**
 * Starts one algorithm for the stored run of a token, for a region, or for a tehsil by its names. Returns a stored
 * result unless `overwrite` is set. Throws `validation`, `not_found` and `missing_layer` as the routes do. For a tehsil
 * whose result is not posted, throws `forbidden` if the token belongs to no open run, or if there is no token and
 * `asSuperuser` is false.
 */
export async function startAlgorithm(runner: Runner, algorithm: AlgorithmRequest): Promise<StartedAlgorithm> {
  const { parameters, pipeline } = algorithm;
  const called = await startForJob(runner, algorithm);
  if (called !== undefined) return called;
  const options = {
    overwrite: isYes(parameters['overwrite']),
    withDependencies: isYes(parameters['with_dependencies']),
  };
  if (isOfRegion(parameters)) {
    const { request, chosen } = await regionRequest(algorithm, runner);
    return { ...(await runner.runs.startRegion(pipeline, request, options)), note: chosen.note };
  }
  const request = readWireParameters(pipeline.request, parameters);
  checkAllowed(algorithm);
  const user = await superuserOf(runner);
  return runner.runs.start({ user }, pipeline, request, options);
}

/** Begins the stored run of a token. Undefined without a token, or if the token belongs to no open run. */
async function startForJob(
  { callbacks, stores }: Runner,
  { pipeline, parameters }: AlgorithmRequest,
): Promise<StartedAlgorithm | undefined> {
  const { job_id: jobId, run_token: runToken } = parameters;
  if (typeof jobId !== 'string' || typeof runToken !== 'string') return undefined;
  // This check comes first, because otherwise a run of another pipeline would begin and never continue.
  const job = await stores.runs.get(jobId);
  if (job !== undefined && job.pipeline !== pipeline.name && (await isOpenFor(job, runToken)))
    throw new DomainError(
      'conflict',
      `Run ${jobId} is a run of ${job.pipeline}, not of ${pipeline.name}; call ${job.pipeline}.`,
    );
  const run = await callbacks.begin({ jobId, runToken });
  return run === undefined ? undefined : { run, joined: false, reused: run.state === 'success' };
}

function checkAllowed({ pipeline: { name }, parameters, publishing, asSuperuser }: AlgorithmRequest): void {
  // A posted result is not published here, so no permission is needed.
  if (publishing === 'posted') return;
  if (isText(parameters['job_id']) || isText(parameters['run_token']))
    throw new DomainError(
      'forbidden',
      `job_id and run_token do not belong to an open run of this service, but ${name} of a tehsil needs such a run. The run may have ended; request the layer from the service again.`,
    );
  if (asSuperuser) return;
  throw new DomainError(
    'forbidden',
    `${name} of a tehsil needs the job_id and run_token of a run of the service. Request the layer from the service, or run npx headwater run-algorithm with ${AS_SUPERUSER} if you are its operator.`,
  );
}

const isOpenFor = async (job: Run, runToken: string): Promise<boolean> =>
  !hasEnded(job) && job.runTokenHash !== null && (await isTokenOf(runToken, job.runTokenHash));

const isOfRegion = (parameters: Parameters): boolean =>
  !isText(parameters['block']) &&
  !isText(parameters['tehsil']) &&
  ['region', 'west'].some((name) => name in parameters);

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

async function regionRequest({ pipeline, parameters, workService }: AlgorithmRequest, { runs }: Runner) {
  const { name, regions } = pipeline;
  if (regions === undefined)
    throw new DomainError(
      'validation',
      `${name} computes no regions; name a tehsil by --state, --district and --block.`,
    );
  const limits = { ...WORK_SERVICE, ...workService };
  const clock = { now: () => new Date() };
  return checkedExport(parameters, { pipelines: [pipeline], workService: limits, clock, runs });
}

/**
 * Owner of runs without a token: the first superuser, because a process that can write to the database belongs to the
 * operator.
 */
async function superuserOf({ stores }: Runner): Promise<User> {
  const found = await stores.users.firstSuperuser();
  if (found !== undefined) return found;
  throw new DomainError(
    'unavailable',
    'The database has no superuser yet; start the service once, or create one with npx headwater create-superuser.',
  );
}

const isYes = (value: unknown): boolean => value === true || ['true', 'yes', '1'].includes(String(value).toLowerCase());
