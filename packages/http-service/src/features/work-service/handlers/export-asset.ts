import {
  type AnyPipeline,
  DomainError,
  fieldError,
  isDomainError,
  type Run,
  type RunService,
  type StartedRun,
} from '@headwater/core';
import { hasEnded } from '@headwater/core/runs';
import { checkedRegion, type Region, type RegionLimits } from '@headwater/core/places';
import type { Ports } from '../../../deps.ts';
import { paths } from '../../../wire/paths.ts';
import { badMember, RequestError } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import type { WorkCaller } from '../callers.ts';
import type { WorkService } from '../settings.ts';
import type { ExportCall } from '../schemas/export-body.ts';
import { type ExportParameters, type PresentParameters, readParameters, readPresent } from '../schemas/parameters.ts';
import { shown } from '../schemas/texts.ts';
import type { ChosenYear } from '../schemas/work-service.ts';
import { endedRun } from '../../runs/handlers/ended-run.ts';

/** A request to the work service. */
export interface Calling {
  readonly call: ExportCall;
  readonly caller: WorkCaller;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/**
 * Computes the run of an orchestrator's callback, and waits for the run's end. Undefined if the call is no callback, or
 * if its token belongs to no unfinished run.
 */
export async function calledBack(
  { call, requestId, signal }: Calling,
  deps: Ports<'callbacks' | 'closing' | 'logger' | 'regionStarts' | 'runs'>,
): Promise<StartedRun | undefined> {
  const { callback } = call;
  if (callback === undefined) return undefined;
  const run = await deps.regionStarts.find(() => deps.callbacks.begin(callback));
  if (run === undefined) return undefined;
  // `startedBy`: id of the request that started the job. A search for this id finds all log lines of the job.
  const ids = { requestId, jobId: callback.jobId, runId: run.id, startedBy: run.requestId };
  deps.logger.info(ids, 'callback of an orchestrated run');
  return {
    run: await endedRun(run, { left: signal, address: 'the run that was triggered' }, deps),
    joined: false,
    reused: false,
  };
}

/**
 * Starts the requested computation or joins an identical run. Throws `validation` with all errors of the parameters.
 */
export async function startExport(
  { call, caller, requestId }: Calling,
  deps: Ports<'clock' | 'pipelines' | 'regionStarts' | 'runs' | 'workService'>,
): Promise<StartedRun & { readonly chosen: ChosenYear }> {
  const { pipeline, request, yearName, chosen } = await checkedExport(call.members, limitedTo(caller, deps));
  const { mostOpen, perAddress: mostOfAddress } = deps.workService;
  const overwrite = call.overwrite ?? true;
  const start = { caller: caller.key, request: JSON.stringify([pipeline.name, request, overwrite]) };
  const counted = caller.isCounted ? { from: caller.key, mostOfAddress } : {};
  try {
    const started = await deps.regionStarts.run(start, () =>
      deps.runs.startRegion(pipeline, request, { overwrite, requestId, mostOpen, ...counted }),
    );
    return { ...started, chosen };
  } catch (error) {
    throw namingYear(error, yearName);
  }
}

/**
 * Adds the limits of a caller to the ports: the maximum area, and the key (`searcher`) that limits a caller to one
 * search at a time.
 */
export function limitedTo<D extends { readonly workService: Pick<WorkService, 'maxKm2' | 'publicMaxKm2'> }>(
  { isTrusted, isCounted, key }: WorkCaller,
  deps: D,
): D & Pick<Searching, 'searcher'> {
  const { maxKm2, publicMaxKm2 } = deps.workService;
  const limited = { ...deps, searcher: isCounted ? key : undefined };
  if (isTrusted) return limited;
  return { ...limited, workService: { ...deps.workService, maxKm2: Math.min(maxKm2, publicMaxKm2) } };
}

/**
 * Checks the parameters of a call and converts them for a run. Throws `validation`. Default year: the newest year with
 * enough scenes.
 */
export async function checkedExport<P extends RegionsOf>(
  members: ExportCall['members'],
  deps: Checking<P> & Searching,
) {
  const { corners, year: sent, yearName, scheme } = readParameters(members);
  const pipeline = pipelineOf(scheme, deps.pipelines);
  const region = checkedRegion(corners, deps.workService);
  const year = sent ?? (await newestYear(pipeline, region, deps));
  // The year is checked before anything is stored.
  const request = checkedYear(pipeline, { region, year, yearName }, deps);
  const chosen: ChosenYear = sent === undefined ? { year, note: sentences.newestYear(year) } : { year };
  return { pipeline, request, yearName, chosen };
}

async function newestYear(pipeline: RegionsOf, region: Region, { runs, searcher }: Searching): Promise<number> {
  if (pipeline.regions?.newestYear === undefined) throw badMember('year', sentences.required);
  const year = await runs.newestYear(pipeline, region, searcher);
  if (year === undefined) throw badMember('year', sentences.noYear);
  return year;
}

interface Checking<P extends RegionsOf = RegionsOf> extends Ports<'clock'> {
  readonly pipelines: readonly P[];
  readonly workService: RegionLimits;
}
type RegionsOf = Pick<AnyPipeline, 'name' | 'regions'>;

interface Searching {
  readonly runs: Pick<RunService, 'newestYear'>;
  /** Key of the caller, who may have one search at a time. If undefined, searches are not limited. */
  readonly searcher?: string | undefined;
}

const ANYWHERE: Region = [77, 20, 77.1, 20.1];

/** Checks region, years and scheme of a workflow's conf, if present. */
export function checkConf(conf: ExportCall['members'], deps: Checking): void {
  const { corners, years, scheme } = readPresent(conf);
  const region = corners === undefined ? ANYWHERE : checkedRegion(corners, deps.workService);
  if (deps.pipelines.every(({ regions }) => regions === undefined)) return;
  const pipeline = pipelineOf(scheme, deps.pipelines);
  const named = conf['pipeline'];
  if (deps.pipelines.some(({ name, regions }) => name === named && regions === undefined)) return;
  for (const sentYear of years) checkedYear(pipeline, { region, ...sentYear }, deps);
}

/**
 * Throws `validation` with the members that the operator does not allow in a conf. Without `confMembers`, all members
 * are allowed.
 */
export function refuseUnlisted(conf: ExportCall['members'], { confMembers }: Pick<WorkService, 'confMembers'>): void {
  if (confMembers.length === 0) return;
  const unlisted = Object.keys(conf).filter((name) => !confMembers.includes(name));
  if (unlisted.length === 0) return;
  throw new RequestError(Object.fromEntries(unlisted.map((name) => [name, [sentences.unlisted(confMembers)]])));
}

function checkedYear(
  { regions }: RegionsOf,
  { region, year, yearName }: PresentParameters['years'][number] & { readonly region: Region },
  { clock }: Ports<'clock'>,
) {
  const request = { region, startYear: year, endYear: year };
  try {
    regions?.resolve(request, clock);
  } catch (error) {
    throw namingYear(error, yearName);
  }
  return request;
}

/** Waits for the end of a run of the work service. Returns undefined at once if too many calls are waiting. */
export async function endOfExport(
  run: Run,
  { caller, signal }: Pick<Calling, 'caller' | 'signal'>,
  deps: Ports<'anonymousAnswers' | 'baseUrl' | 'closing' | 'openResponses' | 'runs'>,
): Promise<Run | undefined> {
  if (hasEnded(run)) return run;
  const { key, isCounted, userId } = caller;
  const done = new AbortController();
  const waiting = AbortSignal.any([signal, deps.closing, done.signal]);
  const isFree =
    userId === undefined
      ? deps.anonymousAnswers.take(isCounted ? key : undefined, waiting)
      : deps.openResponses.take(userId, waiting);
  if (!isFree) return undefined;
  const address = `${deps.baseUrl}${paths.exportStatus}?task_id=${run.id}`;
  try {
    return await endedRun(run, { left: signal, address }, deps);
  } finally {
    done.abort();
  }
}

function pipelineOf<P extends RegionsOf>(scheme: string | undefined, pipelines: readonly P[]): P {
  const known = pipelines.filter(({ regions }) => regions !== undefined);
  const found = scheme === undefined ? known[0] : known.find(({ regions }) => regions?.scheme === scheme);
  if (found !== undefined) return found;
  if (scheme === undefined || known.length === 0)
    throw new DomainError(
      'unavailable',
      'No pipeline of this service computes regions; compute a tehsil, or ask the operator of this service.',
    );
  const names = known.flatMap(({ regions }) => regions?.scheme ?? []);
  throw badMember('base_scheme', sentences.unknownScheme(shown(scheme), names));
}

/** Converts an error of the year: the error names the member in which the caller sent the year. */
function namingYear(error: unknown, name: ExportParameters['yearName']): unknown {
  if (!isDomainError(error) || error.code !== 'validation') return error;
  const problems = error.fields['startYear'] ?? error.fields['endYear'];
  return problems === undefined ? error : fieldError('validation', { [name]: problems });
}
