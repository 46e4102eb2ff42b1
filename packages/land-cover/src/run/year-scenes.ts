import { type Box, publicAddress, type Scene, type SceneSearch } from '@headwater/core';
import { solarDay } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import { LULC_BANDS, lulcSeries } from '../series/series.ts';

/** Settings of land cover for the operator of a service. */
export interface LulcSettings {
  /**
   * Scenes whose Item has a higher cloud cover than this (`eo:cloud_cover`, 0-100) are not read; Items without one are
   * read.
   */
  readonly maxCloudCover: number;
}

/**
 * Above 90 % cloud a scene gives isolated pixels between clouds, mostly cloud edges, and takes as long to read as a
 * clear one.
 */
export const LULC_SETTINGS: LulcSettings = { maxCloudCover: 90 };

/** Scenes of one hydrological year with its margins. */
export interface YearScenes {
  readonly year: number;
  readonly scenes: readonly Scene[];
  /** Number of scenes not read because of their cloud cover. */
  readonly cloudy: number;
  /** Scene id -> reason for leaving it out. */
  readonly skipped: Readonly<Record<string, string>>;
}

/** Scenes that a run reads for a hydrological year, and the contents of the year itself (without its margins). */
export interface YearReading extends YearScenes {
  readonly core: {
    /** Scenes that were found. */
    readonly found: number;
    /** Of these, those with too much cloud. */
    readonly cloudy: number;
    /** Scenes that are read. */
    readonly read: number;
    /** Solar days of these, and their 16-day steps: the most that a pixel can have. */
    readonly dates: number;
    readonly steps: number;
    /** Steps from the first to the last of these, both counted. */
    readonly span: number;
    /** The first scene left out because of a fault, and that fault. */
    readonly firstFault: { readonly id: string; readonly reason: string } | undefined;
  };
}

/** Rules for selecting scenes. */
export interface ReadingRules extends LulcSettings {
  /** Lon/lat box of the place. */
  readonly box: Box;
}

/**
 * Steps of the year that the margin of a neighbouring year covers: scenes in no more steps than this show part of one
 * season.
 */
const MARGIN_STEPS = 4;

/**
 * Requirement on the scenes of a year: enough steps for a pixel to get a class, over a longer part of the year than a
 * neighbour's margin.
 */
export const NEEDED = { steps: T.minClearSteps, span: MARGIN_STEPS + 1 } as const;

/** True if no pixel could get a class, or classes would be based on part of one season, so that a run fails. */
export const isThin = ({ core }: YearReading): boolean => core.steps < NEEDED.steps || core.span < NEEDED.span;

/** First and last instant [start, end) that runs for these years (ascending) read. */
export function periodOf(years: readonly number[]): { readonly start: string; readonly end: string } {
  const [first, last] = [years[0] ?? Number.NaN, years.at(-1) ?? Number.NaN];
  return { start: instant(lulcSeries(first).steps[0]?.start), end: instant(lulcSeries(last).steps.at(-1)?.end) };
}

/** Selects the scenes of a year from all scenes of a search. */
export function readYear(year: number, found: SceneSearch['scenes'], rules: ReadingRules): YearReading {
  const { steps, core } = lulcSeries(year);
  const within = (from: string | undefined, to: string | undefined) => (s: Scene) =>
    s.datetime >= instant(from) && s.datetime < instant(to);
  const all = found.filter(within(steps[0]?.start, steps.at(-1)?.end));
  const coreSteps = steps.slice(...core);
  const inCore = within(coreSteps[0]?.start, coreSteps.at(-1)?.end);
  const kept = all.filter(({ cloudCover }) => cloudCover === undefined || cloudCover <= rules.maxCloudCover);
  const skipped = faultsOf(kept);
  const scenes = kept.filter(({ id }) => !skipped.has(id));
  const [coreFound, coreKept, coreRead] = [all, kept, scenes].map((some) => some.filter(inCore));
  const faulty = coreKept?.find(({ id }) => skipped.has(id));
  const seen = coreSteps.flatMap(({ start, end }, step) => (coreRead?.some(within(start, end)) === true ? [step] : []));
  const longitude = (rules.box[0] + rules.box[2]) / 2;
  return {
    year,
    scenes,
    cloudy: all.length - kept.length,
    skipped: Object.fromEntries(skipped),
    core: {
      found: coreFound?.length ?? 0,
      cloudy: (coreFound?.length ?? 0) - (coreKept?.length ?? 0),
      read: coreRead?.length ?? 0,
      dates: new Set(coreRead?.map(({ datetime }) => solarDay(datetime, longitude))).size,
      steps: seen.length,
      span: seen.length === 0 ? 0 : (seen.at(-1) ?? 0) - (seen[0] ?? 0) + 1,
      firstFault: faulty && { id: faulty.id, reason: skipped.get(faulty.id) ?? '' },
    },
  };
}

const instant = (date: string | undefined): string => `${date ?? ''}T00:00:00.000Z`;

/**
 * A reflectance that is 0.1 too high or too low changes the indices, and so the class: no value is better than a guess.
 */
const OFFSET_UNKNOWN =
  'it does not say whether the offset of 1000 that products since 25 January 2022 carry is still in its values; ' +
  'add s2:processing_baseline or raster:offset to the Item';

/** Scene id -> reason why it cannot be read, according to its Item. A map, since an id may be `constructor`. */
function faultsOf(scenes: readonly Scene[]): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const scene of scenes) {
    const lacking = LULC_BANDS.filter((band) => scene.bands[band] === undefined);
    if (lacking.length > 0) faults.set(scene.id, `lacks band ${lacking.join(', ')}`);
    else if (scene.offsetUnknown === true) faults.set(scene.id, OFFSET_UNKNOWN);
  }
  return faults;
}

/** Last part of an Item's address, for messages. */
export function lastPart(itemHref: string): string {
  const href = publicAddress(itemHref);
  return href.slice(href.lastIndexOf('/') + 1);
}
