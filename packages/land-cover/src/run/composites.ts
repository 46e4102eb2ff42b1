import { countOf } from '@headwater/core/values';
import {
  DomainError,
  isDomainError,
  type PipelineContext,
  type PipelinePorts,
  type WorkContext,
} from '@headwater/core';
import type { PlanOutcome } from '@headwater/core/ports';
import { workGrid } from './work-grid.ts';
import { LULC_THRESHOLDS } from '../method/thresholds.ts';
import type { PixelGrid, ScratchRaster } from '@headwater/core/pixel-plan';
import type { LulcJob } from './scenes.ts';
import { correctionPlan, pixelAgreementPlan, yearPlan, type YearRasters } from './plan.ts';
import type { YearScenes } from './year-scenes.ts';
import { cloudyYear } from './too-few-scenes.ts';

/** Class, quality and confidence planes of one year on the work grid, with their scenes. */
export interface YearResult {
  readonly year: number;
  readonly labels: ScratchRaster;
  readonly quality: ScratchRaster;
  readonly confidence: ScratchRaster;
  /** Ids of scenes with at least one used value. */
  readonly contributing: readonly string[];
  readonly skipped: Readonly<Record<string, string>>;
  /** Ids of scenes whose servers did not respond; their share is at most `maxMissingShare`. */
  readonly missing: readonly string[];
  readonly scenes: YearScenes['scenes'];
}

/** Classes of all years. `corrected` is true if temporal correction was applied. */
export interface ComputedYears {
  readonly results: readonly YearResult[];
  readonly corrected: boolean;
  readonly decodedPixels: number;
}

/**
 * Dependencies of the computing steps. `keep` registers scratch rasters, which are released when the run ends or fails.
 */
export interface ComputeTools {
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
  readonly keep: (rasters: readonly ScratchRaster[]) => void;
}

/** Work context for a part of a step; scales the engine's progress to that part. */
export function stepWork(
  context: PipelineContext,
  step: string,
  part: { readonly index: number; readonly of: number },
): WorkContext {
  return {
    signal: context.signal,
    progress: (share, note) => context.progress(step, (part.index + share) / part.of, note),
    log: context.log,
  };
}

/** Planes of all years before temporal correction. */
export interface ClassifiedYears {
  readonly grid: PixelGrid;
  readonly years: readonly {
    readonly found: YearScenes;
    readonly outcome: PlanOutcome;
    readonly rasters: YearRasters;
  }[];
}

/**
 * Makes and classifies composites, year by year. Throws `no_scenes` for a year to which no scene contributes a value,
 * `input_data` if no scene of a year can be read.
 */
export async function classifyYears(
  job: LulcJob,
  found: readonly YearScenes[],
  tools: ComputeTools,
): Promise<ClassifiedYears> {
  const { ports, context, keep } = tools;
  const grid = workGrid(
    found.flatMap((y) => y.scenes),
    job.box,
  );
  context.log(`Work grid ${grid.crs}, ${grid.cols} x ${grid.rows} pixels of ${grid.pixelWidth} m`);
  const years: ClassifiedYears['years'][number][] = [];
  for (const [index, year] of found.entries()) {
    context.log(`${year.year}: ${countOf(year.scenes.length, 'scene')}`);
    const outcome = await namingYear(year.year, () =>
      ports.pixels.execute(yearPlan(job, grid, year), stepWork(context, 'composites', { index, of: found.length })),
    );
    keep(Object.values(outcome.outputs));
    report(year, outcome, tools);
    years.push({ found: year, outcome, rasters: yearRasters(outcome) });
  }
  return { grid, years };
}

/** Adds the year to the message of an `unavailable` error. */
async function namingYear<T>(year: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'unavailable') throw error;
    const message = `Hydrological year ${year}: ${error.message}. Check the network and the server of the scenes.`;
    throw new DomainError('unavailable', message, { details: { ...error.details, year }, cause: error });
  }
}

/**
 * Adjusts the confidence by the classes of neighbouring pixels. Must run before `correctClasses`, because the
 * confidence belongs to the original classes.
 */
export async function agreeWithNeighbours(
  { grid, years }: ClassifiedYears,
  tools: ComputeTools,
): Promise<ClassifiedYears> {
  const { ports, context, keep } = tools;
  const agreed: ClassifiedYears['years'][number][] = [];
  for (const [index, year] of years.entries()) {
    const work = stepWork(context, 'temporal_correction', { index, of: years.length + 1 });
    const outputs = await ports.pixels.combine(pixelAgreementPlan(grid, year.rasters), work);
    keep(Object.values(outputs));
    agreed.push({ ...year, rasters: { ...year.rasters, confidence: need(outputs, 'confidence') } });
  }
  return { grid, years: agreed };
}

/** Corrects unlikely changes of class between years. Does nothing if there are too few years. */
export async function correctClasses({ grid, years }: ClassifiedYears, tools: ComputeTools): Promise<ComputedYears> {
  const { ports, context, keep } = tools;
  const corrected = years.length >= LULC_THRESHOLDS.temporalMinYears;
  let outputs: Readonly<Record<string, ScratchRaster>> = {};
  if (corrected) {
    const rasters = new Map(years.map((y) => [y.found.year, y.rasters]));
    outputs = await ports.pixels.combine(
      correctionPlan(grid, rasters),
      stepWork(context, 'temporal_correction', { index: years.length, of: years.length + 1 }),
    );
    keep(Object.values(outputs));
  } else
    context.log(
      `Temporal correction skipped: it needs ${LULC_THRESHOLDS.temporalMinYears} years, ${years.length} requested`,
    );
  const results = years.map(({ found, outcome, rasters }): YearResult => {
    const { year, scenes } = found;
    const planes = corrected
      ? {
          labels: need(outputs, `labels_${year}`),
          quality: need(outputs, `quality_${year}`),
          confidence: need(outputs, `confidence_${year}`),
        }
      : rasters;
    const skipped = { ...found.skipped, ...outcome.skipped };
    return {
      year,
      labels: planes.labels,
      quality: planes.quality,
      confidence: planes.confidence,
      contributing: outcome.contributing,
      skipped,
      missing: outcome.unavailable ?? [],
      scenes,
    };
  });
  return { results, corrected, decodedPixels: years.reduce((sum, y) => sum + y.outcome.decodedPixels, 0) };
}

function yearRasters({ outputs }: PlanOutcome): YearRasters {
  return {
    labels: need(outputs, 'labels'),
    crops: need(outputs, 'crops'),
    quality: need(outputs, 'quality'),
    confidence: need(outputs, 'confidence'),
  };
}

function need(outputs: Readonly<Record<string, ScratchRaster>>, name: string): ScratchRaster {
  const raster = outputs[name];
  if (raster === undefined) throw new DomainError('internal', `The pixel engine returned no output named ${name}`);
  return raster;
}

function counted(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const MAX_LOGGED = 20;

function report({ year, scenes, skipped }: YearScenes, outcome: PlanOutcome, { ports, context }: ComputeTools): void {
  const left = Object.entries({ ...skipped, ...outcome.skipped });
  for (const [id, reason] of left.slice(0, MAX_LOGGED)) context.log(`${year}: scene ${id} left out: ${reason}`);
  if (left.length > MAX_LOGGED)
    context.log(`${year}: ... and ${countOf(left.length - MAX_LOGGED, 'more scene')} left out`);
  context.log(`${year}: ${countOf(outcome.contributing.length, 'scene')} gave values`);
  for (const [reason, count] of counted(Object.values(outcome.unused)))
    context.log(`${year}: ${countOf(count, 'scene')} contributed no pixel: ${reason}`);
  if (outcome.pieces.outside > 0) {
    const { computed, outside } = outcome.pieces;
    context.log(`${year}: ${outside} of ${computed + outside} pieces of the work grid lie outside of the area`);
  }
  const broken = Object.entries(outcome.skipped);
  if (broken.length > 0 && broken.length === scenes.length) {
    const [id, reason] = broken[0] ?? ['', ''];
    throw new DomainError(
      'input_data',
      `No scene of hydrological year ${year} can be read; the first, ${id}: ${reason}. Replace its files and start again.`,
      { details: { year } },
    );
  }
  if (outcome.contributing.length === 0) throw cloudyYear(year, scenes, ports);
}
