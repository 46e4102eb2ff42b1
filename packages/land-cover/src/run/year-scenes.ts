import { type Box, publicAddress, type Scene, type SceneSearch } from '@headwater/core';
import { solarDay } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import { LULC_BANDS, lulcSeries } from '../series/series.ts';

/** Settings of land cover. */
export interface LulcSettings {
  /** Scenes with a higher `eo:cloud_cover` (0-100) are not read; scenes without a cloud cover are read. */
  readonly maxCloudCover: number;
}

/** Default settings. A scene with more than 90 % cloud shows mostly cloud edges. */
export const LULC_SETTINGS: LulcSettings = { maxCloudCover: 90 };

/** Scenes of one hydrological year with its margins. */
export interface YearScenes {
  readonly year: number;
  readonly scenes: readonly Scene[];
  /** Number of scenes that are too cloudy to read. */
  readonly cloudy: number;
  /** Reasons for skipping scenes, by scene id. */
  readonly skipped: Readonly<Record<string, string>>;
}

/** Scenes of a hydrological year. `core`: counts for the year without its margins. */
export interface YearReading extends YearScenes {
  readonly core: {
    /** Number of scenes that were found. */
    readonly found: number;
    /** Number of found scenes that are too cloudy. */
    readonly cloudy: number;
    /** Number of scenes that are read. */
    readonly read: number;
    /** Number of solar days with a scene that is read. `steps`: number of 16-day steps with such a scene. */
    readonly dates: number;
    readonly steps: number;
    /** Number of steps from the first to the last step with such a scene, inclusive. */
    readonly span: number;
    /** The first faulty scene. */
    readonly firstFault: { readonly id: string; readonly reason: string } | undefined;
  };
}

/** Rules for selecting scenes. */
export interface ReadingRules extends LulcSettings {
  /** Lon/lat box of the place. */
  readonly box: Box;
}

/**
 * Number of steps in a margin. If all scenes of a year are in the margin of a neighbouring year, they show only a part
 * of one season.
 */
const MARGIN_STEPS = 4;

/** Requirement for a year: enough steps for a class, over a longer time than a margin. */
export const NEEDED = { steps: T.minClearSteps, span: MARGIN_STEPS + 1 } as const;

/** True if a run must fail, because the year has too few scenes or only a part of one season. */
export const isThin = ({ core }: YearReading): boolean => core.steps < NEEDED.steps || core.span < NEEDED.span;

/** Period [start, end) of the scenes for a run over these years (ascending), with margins. */
export function periodOf(years: readonly number[]): { readonly start: string; readonly end: string } {
  const [first, last] = [years[0] ?? Number.NaN, years.at(-1) ?? Number.NaN];
  return { start: instant(lulcSeries(first).steps[0]?.start), end: instant(lulcSeries(last).steps.at(-1)?.end) };
}

/** Selects the scenes of a year. */
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

/** Reason for not reading a scene: a wrong offset would change the reflectance by 0.1, and so the class. */
const OFFSET_UNKNOWN =
  'it does not state whether its values contain the offset of 1000 that products have since 25 January 2022; ' +
  'add s2:processing_baseline or raster:offset to the Item';

/**
 * Reasons for not reading a scene, by scene id. A Map, because in an object an id such as `constructor` would be
 * an inherited member.
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
