import {
  type AnyPipeline,
  checkedRegion,
  DomainError,
  fieldError,
  isDomainError,
  type Run,
  type StartedRun,
} from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import { paths } from '../wire/paths.ts';
import { badMember } from '../wire/request-error.ts';
import { sentences } from '../wire/sentences.ts';
import type { ExportCall } from '../wire/work-service/export-body.ts';
import { type ExportParameters, readParameters } from '../wire/work-service/parameters.ts';
import { shown } from '../wire/work-service/texts.ts';
import { endedRun } from './ended-run.ts';

/** One call of the work service. */
export interface Calling {
  readonly call: ExportCall;
  readonly requestId: string;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** What is computed for an orchestrator that calls back with the token of its run, as it ended; undefined for any other call. */
export async function calledBack({ call, signal }: Calling, deps: ServiceDeps): Promise<StartedRun | undefined> {
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
export async function startExport({ call, requestId }: Calling, deps: ServiceDeps): Promise<StartedRun> {
  const { pipeline, request, yearName } = await checkedExport(call.members, deps);
  const { mostOpen } = deps.workService;
  try {
    return await deps.runs.startRegion(pipeline, request, { overwrite: call.overwrite ?? true, requestId, mostOpen });
  } catch (error) {
    throw namingYear(error, yearName);
  }
}

/** Parameters as a run takes them; throws `validation` naming what cannot be computed. */
export async function checkedExport(members: ExportCall['members'], deps: ServiceDeps) {
  const { corners, year, yearName, scheme } = readParameters(members);
  const pipeline = pipelineOf(scheme, deps.pipelines);
  const region = checkedRegion(corners, deps.workService);
  const request = { region, startYear: year, endYear: year };
  try {
    // Only looked at: a year that cannot be is told before anything is stored.
    pipeline.regions?.resolve(request, deps.clock);
  } catch (error) {
    throw namingYear(error, yearName);
  }
  return { pipeline, request, yearName };
}

/** Waits for the end of a run that nobody owns. */
export const endOfExport = (run: Run, { signal }: Pick<Calling, 'signal'>, deps: ServiceDeps): Promise<Run> =>
  endedRun(run, { left: signal, look: `${deps.baseUrl}${paths.exportStatus}?task_id=${run.id}` }, deps);

function pipelineOf(scheme: string | undefined, pipelines: readonly AnyPipeline[]): AnyPipeline {
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
