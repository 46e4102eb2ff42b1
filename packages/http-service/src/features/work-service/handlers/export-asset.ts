import { type AnyPipeline, DomainError, fieldError, isDomainError, type Run, type StartedRun } from '@headwater/core';
import { checkedRegion, type Region, type RegionLimits } from '@headwater/core/places';
import type { Ports } from '../../../deps.ts';
import { paths } from '../../../wire/paths.ts';
import { badMember } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import type { ExportCall } from '../schemas/export-body.ts';
import { type ExportParameters, readGiven, readParameters } from '../schemas/parameters.ts';
import { shown } from '../schemas/texts.ts';
import { endedRun } from '../../runs/handlers/ended-run.ts';

/** One call of the work service. */
export interface Calling {
  readonly call: ExportCall;
  readonly requestId: string;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** What is computed for an orchestrator that calls back with the token of its run, as it ended; undefined for any other call. */
export async function calledBack(
  { call, signal }: Calling,
  deps: Ports<'callbacks' | 'closing' | 'runs'>,
): Promise<StartedRun | undefined> {
  if (call.callback === undefined) return undefined;
  const run = await deps.callbacks.begin(call.callback);
  if (run === undefined) return undefined;
  return {
    run: await endedRun(run, { left: signal, look: 'the run that was triggered' }, deps),
    joined: false,
    reused: false,
  };
}

/** Starts what the call asks for, or joins what computes it already. Throws `validation` naming every fault of the parameters. */
export async function startExport(
  { call, requestId }: Calling,
  deps: Ports<'clock' | 'pipelines' | 'runs' | 'workService'>,
): Promise<StartedRun> {
  const { pipeline, request, yearName } = checkedExport(call.members, deps);
  const { mostOpen } = deps.workService;
  try {
    return await deps.runs.startRegion(pipeline, request, { overwrite: call.overwrite ?? true, requestId, mostOpen });
  } catch (error) {
    throw namingYear(error, yearName);
  }
}

/** Parameters as a run takes them; throws `validation` naming what cannot be computed. */
export function checkedExport<P extends RegionsOf>(members: ExportCall['members'], deps: Checking<P>) {
  const { corners, year, yearName, scheme } = readParameters(members);
  const pipeline = pipelineOf(scheme, deps.pipelines);
  const region = checkedRegion(corners, deps.workService);
  // Only looked at: a year that cannot be is told before anything is stored.
  return { pipeline, request: checkedYear(pipeline, { region, year, yearName }, deps), yearName };
}

/** What parameters are held against. */
interface Checking<P extends RegionsOf = RegionsOf> extends Ports<'clock'> {
  readonly pipelines: readonly P[];
  readonly workService: RegionLimits;
}
type RegionsOf = Pick<AnyPipeline, 'name' | 'regions'>;

/** Any box will do to look at a year alone. */
const ANYWHERE: Region = [77, 20, 77.1, 20.1];

/**
 * Checks of a workflow's conf what this service knows, where it is there, as `checkedExport` does. The years of a pipeline that computes no
 * regions are its own affair.
 */
export function checkConf(conf: ExportCall['members'], deps: Checking): void {
  const { corners, years, scheme } = readGiven(conf);
  const region = corners === undefined ? ANYWHERE : checkedRegion(corners, deps.workService);
  if (deps.pipelines.every(({ regions }) => regions === undefined)) return;
  const pipeline = pipelineOf(scheme, deps.pipelines);
  const named = conf['pipeline'];
  if (deps.pipelines.some(({ name, regions }) => name === named && regions === undefined)) return;
  for (const given of years) checkedYear(pipeline, { region, ...given }, deps);
}

/** The request for one year of a region; throws where the pipeline does not compute that year. */
function checkedYear(
  { regions }: RegionsOf,
  { region, year, yearName }: Pick<ExportParameters, 'year' | 'yearName'> & { readonly region: Region },
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

/** Waits for the end of a run that nobody owns. */
export const endOfExport = (
  run: Run,
  { signal }: Pick<Calling, 'signal'>,
  deps: Ports<'baseUrl' | 'closing' | 'runs'>,
): Promise<Run> =>
  endedRun(run, { left: signal, look: `${deps.baseUrl}${paths.exportStatus}?task_id=${run.id}` }, deps);

function pipelineOf<P extends RegionsOf>(scheme: string | undefined, pipelines: readonly P[]): P {
  const known = pipelines.filter(({ regions }) => regions !== undefined);
  const found = scheme === undefined ? known[0] : known.find(({ regions }) => regions?.scheme === scheme);
  if (found !== undefined) return found;
  if (scheme === undefined || known.length === 0)
    throw new DomainError('unavailable', 'No pipeline of this service computes regions.');
  const names = known.flatMap(({ regions }) => regions?.scheme ?? []);
  throw badMember('base_scheme', sentences.unknownScheme(shown(scheme), names));
}

/** A refusal of the years, by the name under which the year came. */
function namingYear(error: unknown, name: ExportParameters['yearName']): unknown {
  if (!isDomainError(error) || error.code !== 'validation') return error;
  const problems = error.fields['startYear'] ?? error.fields['endYear'];
  return problems === undefined ? error : fieldError('validation', { [name]: problems });
}
