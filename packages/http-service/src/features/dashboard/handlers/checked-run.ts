import { type AnyPipeline, isDomainError } from '@headwater/core';
import type { ScopeArea } from '@headwater/core/runs';
import type { SessionPrincipal } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { listingOf } from '../../../items/pipeline-listing.ts';
import type { Reader } from '../../../screens/replies.ts';
import { callerOf } from '../../../screens/signed-in.ts';
import { waitingOf } from '../../../screens/waiting.ts';
import { toWire } from '../../../wire/wire-error.ts';
import { dryRun } from '../../runs/handlers/dry-run.ts';
import { expectedWork } from '../../runs/handlers/expected-work.ts';
import type { CheckedRun, ComputePageFacts } from '../page/compute-page.ts';
import type { ShownEstimate } from '../page/estimate-table.ts';

/** Codes of errors that the form shows. */
export const REFUSALS: ReadonlySet<string> = new Set([
  'validation',
  'not_found',
  'conflict',
  'missing_layer',
  'computing_not_allowed',
]);

/** A request of the form with valid parameters. */
export interface RunToCheck {
  readonly reader: Reader;
  readonly principal: SessionPrincipal;
  readonly pipeline: AnyPipeline;
  readonly request: Readonly<Record<string, unknown>>;
  readonly area: ScopeArea | undefined;
  /** Area of the place, km2; undefined if it has no boundary. */
  readonly km2: number | undefined;
  readonly isEstimated: boolean;
  readonly signal: AbortSignal;
}

/** Outcome of the check, and the status and headers of its page. */
export interface Checked extends Pick<ComputePageFacts, 'status' | 'headers'> {
  readonly checked: CheckedRun;
}

type Deps = Ports<'canCompute' | 'pipelines' | 'runs' | 'stores'>;
type RefusedEstimate = Pick<ComputePageFacts, 'status' | 'headers'> & {
  readonly estimate: Extract<ShownEstimate, { readonly problem: string }>;
};

/**
 * Checks a request before the start, with an estimate if requested. If there is no estimate, or if it was refused,
 * `RunService.preview` checks the request, and its errors are thrown.
 */
export async function checkRun(run: RunToCheck, deps: Deps): Promise<Checked> {
  const found = run.isEstimated ? await estimateOf(run, deps) : undefined;
  if (found !== undefined && 'figures' in found) return { checked: byEstimate(run, found, deps) };
  const { principal, pipeline, request, km2 } = run;
  const { missing, makers } = await deps.runs.preview(callerOf(principal), pipeline, request);
  const checked = {
    makers: listed(makers ?? [], run, deps),
    canStart: makers !== undefined,
    why: makers !== undefined || missing === undefined ? undefined : toWire(missing).message,
    expected: km2 === undefined ? undefined : await expectedWork({ pipeline, km2, request }, deps),
    estimate: found?.estimate,
  };
  return { status: found?.status, headers: found?.headers, checked };
}

type Figures = Extract<ShownEstimate, { readonly figures: unknown }>;

/**
 * Outcome of a check with an estimate. An area can be started if at least one examined tehsil has all data, even if no
 * pipeline makes the data that other tehsils lack.
 */
function byEstimate(run: RunToCheck, estimate: Figures, deps: Deps): CheckedRun {
  const { makers, missing, lacking, sampled } = estimate.figures;
  return {
    makers: listed(makers ?? [], run, deps),
    canStart: makers !== null || (run.area !== undefined && lacking < sampled),
    why: makers === null ? (missing ?? undefined) : undefined,
    expected: undefined,
    estimate,
  };
}

const listed = (
  makers: readonly string[],
  { reader }: Pick<RunToCheck, 'reader'>,
  { pipelines }: Pick<Deps, 'pipelines'>,
): CheckedRun['makers'] =>
  makers.map((name) => {
    const maker = pipelines.find((each) => each.name === name);
    return maker === undefined ? { title: name, lang: 'en' as const } : listingOf(maker, reader.language);
  });

/** Estimates a request. A refusal becomes a reason on the page, so that the form can still be sent. */
async function estimateOf(
  { reader, principal, pipeline, request, area, signal }: RunToCheck,
  deps: Deps,
): Promise<Figures | RefusedEstimate> {
  try {
    return { figures: await dryRun(deps, { principal: callerOf(principal), pipeline, request, area }, signal) };
  } catch (error) {
    if (!isDomainError(error) || signal.aborted) throw error;
    const waiting = waitingOf(error, reader.say, 'tooManyEstimates');
    if (waiting === undefined) {
      // Only refusals of the request are shown. Failures of a store or catalogue are thrown.
      if (!REFUSALS.has(error.code) && error.code !== 'input_data') throw error;
      return { estimate: { problem: toWire(error).message, lang: 'en' } };
    }
    const { status, headers, sentence } = waiting;
    return { status, headers, estimate: { problem: sentence, lang: reader.language } };
  }
}
