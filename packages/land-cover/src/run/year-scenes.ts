import { type Box, publicAddress, type Scene, type SceneSearch } from '@headwater/core';
import { solarDay } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import { LULC_BANDS, lulcSeries } from '../series/series.ts';

/** Settings of land cover for the operator of a service. */
export interface LulcSettings {
  /** Scenes with a higher cloud cover than this (`eo:cloud_cover`, 0-100) are not read; scenes without a cloud cover are read. */
  readonly maxCloudCover: number;
}

/**
 * Default settings. A scene with more than 90 % cloud shows only isolated pixels between clouds, and most of these pixels are
 * cloud edges. It is not worth reading, because it takes as long to read as a clear scene.
 */
export const LULC_SETTINGS: LulcSettings = { maxCloudCover: 90 };

/** Scenes of one hydrological year with its margins. */
export interface YearScenes {
  readonly year: number;
  readonly scenes: readonly Scene[];
  /** Number of scenes that are not read because of their cloud cover. */
  readonly cloudy: number;
  /** Reasons for leaving out scenes, by scene id. */
  readonly skipped: Readonly<Record<string, string>>;
}

/** Scenes that a run reads for a hydrological year with its margins. `core` contains counts for the year without the margins. */
export interface YearReading extends YearScenes {
  readonly core: {
    /** Number of scenes that were found. */
    readonly found: number;
    /** Number of found scenes with too much cloud. */
    readonly cloudy: number;
    /** Number of scenes that are read. */
    readonly read: number;
    /**
     * Number of different solar days of the read scenes. `steps`: number of 16-day steps that contain these days; no pixel can
     * have more observed steps than this.
     */
    readonly dates: number;
    readonly steps: number;
    /** Number of steps from the first step with scenes to the last step with scenes, both included. */
    readonly span: number;
    /** The first scene that is left out because of a fault, with the fault. */
    readonly firstFault: { readonly id: string; readonly reason: string } | undefined;
  };
}

/** Rules for selecting scenes. */
export interface ReadingRules extends LulcSettings {
  /** Lon/lat box of the place. */
  readonly box: Box;
}

/**
 * Number of steps of the year that are also in the margin of a neighbouring year. If all scenes of a year are within so few
 * steps, the scenes show only a part of one season.
 */
const MARGIN_STEPS = 4;

/**
 * Requirement for the scenes of a year: enough steps for a pixel to get a class, and more steps from the first to the last scene
 * than the margin of a neighbouring year has.
 */
export const NEEDED = { steps: T.minClearSteps, span: MARGIN_STEPS + 1 } as const;

/** True if a run must fail: no pixel could get a class, or classes would be based on a part of one season. */
export const isThin = ({ core }: YearReading): boolean => core.steps < NEEDED.steps || core.span < NEEDED.span;

/** Period [start, end) that runs for these years (ascending) read. */
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
 * Reason for leaving out a scene with an unknown offset. A wrong guess makes the reflectance wrong by 0.1, which changes the
 * indices and the class. So the scene is left out.
 */
const OFFSET_UNKNOWN =
  'it does not state whether its values contain the offset of 1000 that products have since 25 January 2022; ' +
  'add s2:processing_baseline or raster:offset to the Item';

/**
 * Reasons why scenes cannot be read, by scene id. The reasons are found in the scenes' Items. The result is a Map, because a
 * scene id such as `constructor` would be wrong as a key of an object.
 */
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
