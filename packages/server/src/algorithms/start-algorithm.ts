import { type AnyPipeline, DomainError, type Run } from '@headwater/core';
import { hasEnded, isTokenOf } from '@headwater/core/runs';
import type { User } from '@headwater/identity';
import { checkedExport, readWireParameters, WORK_SERVICE, type WorkServiceOptions } from '@headwater/http-service';
import type { Publishing, Runner } from './open-runner.ts';
import { AS_SUPERUSER, type Parameters } from './run-options.ts';

/** A run that stands for what was asked. */
export interface StartedAlgorithm {
  readonly run: Run;
  readonly joined: boolean;
  readonly reused: boolean;
}

/** What is to be run. */
export interface AskedAlgorithm {
  readonly pipeline: AnyPipeline;
  readonly parameters: Parameters;
  readonly signal: AbortSignal;
  readonly publishing: Publishing;
  /** What the service computes regions within. */
  readonly workService: Pick<WorkServiceOptions, 'maxKm2'>;
  /** The operator himself asks, and not somebody whose parameters came to this process. */
  readonly asSuperuser: boolean;
}

/**
 * Starts one algorithm: for the stored run whose token was given, of a region, or, where the operator asks, of a tehsil by its names; what a stored
 * result answers is not computed again, unless `overwrite` says so. Throws `validation`, `not_found` and `missing_layer` as the routes do, and
 * `forbidden` for a tehsil that neither a run of the service nor the operator asks for: parameters may come from whoever may run the workflow.
 */
export async function startAlgorithm(runner: Runner, asked: AskedAlgorithm): Promise<StartedAlgorithm> {
  const { parameters, pipeline } = asked;
  const called = await startForJob(runner, asked);
  if (called !== undefined) return called;
  const options = {
    overwrite: isYes(parameters['overwrite']),
    withDependencies: isYes(parameters['with_dependencies']),
  };
  if (isOfRegion(parameters)) return runner.runs.startRegion(pipeline, regionRequest(asked), options);
  const request = readWireParameters(pipeline.request, parameters);
  checkAllowed(asked);
  const user = await superuserOf(runner);
  return runner.runs.start({ user }, pipeline, request, options);
}

/** Undefined where no token was given, or one that is not that of an open run: then it is no run of the service. */
async function startForJob(
  { callbacks, stores }: Runner,
  { pipeline, parameters }: AskedAlgorithm,
): Promise<StartedAlgorithm | undefined> {
  const { job_id: jobId, run_token: runToken } = parameters;
  if (typeof jobId !== 'string' || typeof runToken !== 'string') return undefined;
  // Before anything is begun for it: nobody would take up what this process leaves behind.
  const job = await stores.runs.get(jobId);
  if (job !== undefined && job.pipeline !== pipeline.name && (await isOpenFor(job, runToken)))
    throw new DomainError(
      'conflict',
      `Run ${jobId} is of ${job.pipeline}, not of ${pipeline.name}; call the algorithm that it is of.`,
    );
  const run = await callbacks.begin({ jobId, runToken });
  return run === undefined ? undefined : { run, joined: false, reused: run.state === 'success' };
}

function checkAllowed({ pipeline: { name }, parameters, publishing, asSuperuser }: AskedAlgorithm): void {
  // What is not published in the service's stores is nobody's there.
  if (publishing === 'posted') return;
  if (isText(parameters['job_id']) || isText(parameters['run_token']))
    throw new DomainError(
      'forbidden',
      `job_id and run_token are not those of an open run of this service, and ${name} of a tehsil is computed for no other. The run may have ended; ask the service for the layer again.`,
    );
  if (asSuperuser) return;
  throw new DomainError(
    'forbidden',
    `${name} of a tehsil is computed for a run of the service, by its job_id and run_token. Ask the service for the layer, or call headwater run-algorithm with ${AS_SUPERUSER} where you are its operator.`,
  );
}

const isOpenFor = async (job: Run, runToken: string): Promise<boolean> =>
  !hasEnded(job) && job.runTokenHash !== null && (await isTokenOf(runToken, job.runTokenHash));

const isOfRegion = (parameters: Parameters): boolean =>
  !isText(parameters['block']) &&
  !isText(parameters['tehsil']) &&
  ['region', 'west'].some((name) => name in parameters);

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** As the route checks a region, with this algorithm as the only one there is. */
function regionRequest({ pipeline, parameters, workService }: AskedAlgorithm) {
  const { name, regions } = pipeline;
  if (regions === undefined)
    throw new DomainError(
      'validation',
      `${name} computes no regions; name a tehsil by --state, --district and --block.`,
    );
  const limits = { ...WORK_SERVICE, ...workService };
  return checkedExport(parameters, { pipelines: [pipeline], workService: limits, clock: { now: () => new Date() } })
    .request;
}

/** Whoever may write to the database is the operator: runs that nobody else asked for are the superuser's. */
async function superuserOf({ stores }: Runner): Promise<User> {
  const found = await stores.users.firstSuperuser();
  if (found !== undefined) return found;
  throw new DomainError(
    'unavailable',
    'The database has no superuser yet; start the service once, or make one with headwater create-superuser.',
  );
}

const isYes = (value: unknown): boolean => value === true || ['true', 'yes', '1'].includes(String(value).toLowerCase());
