import {
  type AnyPipeline,
  DomainError,
  fieldError,
  isDomainError,
  type Run,
  type RunService,
  type StartedRun,
} from '@headwater/core';
import { checkedRegion, type Region, type RegionLimits } from '@headwater/core/places';
import type { Ports } from '../../../deps.ts';
import { paths } from '../../../wire/paths.ts';
import { badMember } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import type { ExportCall } from '../schemas/export-body.ts';
import { type ExportParameters, type PresentParameters, readParameters, readPresent } from '../schemas/parameters.ts';
import { shown } from '../schemas/texts.ts';
import type { ChosenYear } from '../schemas/work-service.ts';
import { endedRun } from '../../runs/handlers/ended-run.ts';

/** A request to the work service. */
export interface Calling {
  readonly call: ExportCall;
  readonly requestId: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Runs the computation of an orchestrator that calls back with the token of its run, and waits for its end; undefined for other calls. */
export async function calledBack(
  { call, signal }: Calling,
  deps: Ports<'callbacks' | 'closing' | 'runs'>,
): Promise<StartedRun | undefined> {
  if (call.callback === undefined) return undefined;
  const run = await deps.callbacks.begin(call.callback);
  if (run === undefined) return undefined;
  return {
    run: await endedRun(run, { left: signal, address: 'the run that was triggered' }, deps),
    joined: false,
    reused: false,
  };
}

/** Starts the requested computation or joins an identical run in progress. Throws `validation` with all errors of the parameters. */
export async function startExport(
  { call, requestId }: Calling,
  deps: Ports<'clock' | 'pipelines' | 'runs' | 'workService'>,
): Promise<StartedRun & { readonly chosen: ChosenYear }> {
  const { pipeline, request, yearName, chosen } = await checkedExport(call.members, deps);
  const { mostOpen } = deps.workService;
  const options = { overwrite: call.overwrite ?? true, requestId, mostOpen };
  try {
    return { ...(await deps.runs.startRegion(pipeline, request, options)), chosen };
  } catch (error) {
    throw namingYear(error, yearName);
  }
}

/**
 * Checks parameters and converts them for a run; throws `validation` for those that cannot be computed. If no year is sent, the newest one
 * with enough scenes of the region is used.
 */
export async function checkedExport<P extends RegionsOf>(
  members: ExportCall['members'],
  deps: Checking<P> & { readonly runs: Pick<RunService, 'newestYear'> },
) {
  const { corners, year: sent, yearName, scheme } = readParameters(members);
  const pipeline = pipelineOf(scheme, deps.pipelines);
  const region = checkedRegion(corners, deps.workService);
  const year = sent ?? (await newestYear(pipeline, region, deps));
  // The result is not used: an impossible year is refused before anything is stored.
  const request = checkedYear(pipeline, { region, year, yearName }, deps);
  const chosen: ChosenYear = sent === undefined ? { year, note: sentences.newestYear(year) } : { year };
  return { pipeline, request, yearName, chosen };
}

/** The newest year that the pipeline can compute for a region; throws `validation` without one. */
async function newestYear(
  pipeline: RegionsOf,
  region: Region,
  { runs }: { readonly runs: Pick<RunService, 'newestYear'> },
): Promise<number> {
  if (pipeline.regions?.newestYear === undefined) throw badMember('year', sentences.required);
  const year = await runs.newestYear(pipeline, region);
  if (year === undefined) throw badMember('year', sentences.noYear);
  return year;
}

/** Data for the checks of parameters. */
interface Checking<P extends RegionsOf = RegionsOf> extends Ports<'clock'> {
  readonly pipelines: readonly P[];
  readonly workService: RegionLimits;
}
type RegionsOf = Pick<AnyPipeline, 'name' | 'regions'>;

/** Any valid box, to check only a year. */
const ANYWHERE: Region = [77, 20, 77.1, 20.1];

/**
 * Checks the known members of a workflow's conf like `checkedExport`, if they are present. Years are not checked for a pipeline that does
 * not compute regions.
 */
export function checkConf(conf: ExportCall['members'], deps: Checking): void {
  const { corners, years, scheme } = readPresent(conf);
  const region = corners === undefined ? ANYWHERE : checkedRegion(corners, deps.workService);
  if (deps.pipelines.every(({ regions }) => regions === undefined)) return;
  const pipeline = pipelineOf(scheme, deps.pipelines);
  const named = conf['pipeline'];
  if (deps.pipelines.some(({ name, regions }) => name === named && regions === undefined)) return;
  for (const sentYear of years) checkedYear(pipeline, { region, ...sentYear }, deps);
}

/** Request for one year of a region; throws if the pipeline cannot compute this year. */
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

/** Waits for the end of a run without owner. */
export const endOfExport = (
  run: Run,
  { signal }: Pick<Calling, 'signal'>,
  deps: Ports<'baseUrl' | 'closing' | 'runs'>,
): Promise<Run> =>
  endedRun(run, { left: signal, address: `${deps.baseUrl}${paths.exportStatus}?task_id=${run.id}` }, deps);

function pipelineOf<P extends RegionsOf>(scheme: string | undefined, pipelines: readonly P[]): P {
  const known = pipelines.filter(({ regions }) => regions !== undefined);
  const found = scheme === undefined ? known[0] : known.find(({ regions }) => regions?.scheme === scheme);
  if (found !== undefined) return found;
  if (scheme === undefined || known.length === 0)
    throw new DomainError('unavailable', 'No pipeline of this service computes regions.');
  const names = known.flatMap(({ regions }) => regions?.scheme ?? []);
  throw badMember('base_scheme', sentences.unknownScheme(shown(scheme), names));
}

/** Renames an error of the years to the member that the caller sent. */
function namingYear(error: unknown, name: ExportParameters['yearName']): unknown {
  if (!isDomainError(error) || error.code !== 'validation') return error;
  const problems = error.fields['startYear'] ?? error.fields['endYear'];
  return problems === undefined ? error : fieldError('validation', { [name]: problems });
}
