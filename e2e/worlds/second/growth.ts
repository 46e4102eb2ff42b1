import { julyFirst, SECOND_YEARS, yearOf } from './calendar.ts';
import { Dice } from './dice.ts';
import type { Kind, Plot } from './land.ts';
import type { Rain } from './rain.ts';

/** Plants of a parcel on one day. */
export interface Stand {
  /** Leaf area index of green leaves, m2 per m2 of ground. */
  readonly leaf: number;
  /** Share of the ground under dry stalks, litter or bark, 0-1. */
  readonly dry: number;
}

/** A sown crop. Leaf area is a gamma curve, zero four days after the harvest (`cut`). */
interface Crop {
  readonly sown: number;
  /** Days from sowing to the greatest leaf area. */
  readonly toPeak: number;
  readonly cut: number;
  readonly leaf: number;
  /** Exponent of the gamma curve; a larger exponent gives a narrower peak. */
  readonly shape: number;
  /** Half-life of the stubble (grazed or ploughed), days. */
  readonly stubble: number;
}

/**
 * Ranges of a crop season. `sow`: days from the onset of the rain or from 1 July (`after`). `toPeak`, `lasts`: days from
 * sowing. `leaf`: leaf area at the peak.
 */
interface Season {
  readonly after: 'onset' | 'july';
  readonly sow: readonly [number, number];
  readonly toPeak: readonly [number, number];
  readonly lasts: readonly [number, number];
  readonly leaf: readonly [number, number];
}

const KHARIF: Season = { after: 'onset', sow: [4, 28], toPeak: [52, 72], lasts: [98, 132], leaf: [2, 5] };
const LONG_KHARIF: Season = { after: 'onset', sow: [4, 22], toPeak: [80, 100], lasts: [165, 200], leaf: [2, 3.6] };
const EARLY_KHARIF: Season = { after: 'onset', sow: [0, 12], toPeak: [44, 54], lasts: [84, 100], leaf: [2.2, 4.6] };
const RABI: Season = { after: 'july', sow: [128, 162], toPeak: [56, 74], lasts: [102, 128], leaf: [2.2, 5.6] };
const EARLY_RABI: Season = { after: 'july', sow: [116, 130], toPeak: [48, 58], lasts: [92, 104], leaf: [2.4, 5] };
const ZAID: Season = { after: 'july', sow: [236, 256], toPeak: [38, 46], lasts: [62, 80], leaf: [1.8, 3.6] };

const SEASONS: Partial<Readonly<Record<Kind, readonly Season[]>>> = {
  kharif: [KHARIF],
  longKharif: [LONG_KHARIF],
  rabi: [RABI],
  zaid: [ZAID],
  kharifRabi: [KHARIF, RABI],
  threeCrops: [EARLY_KHARIF, EARLY_RABI, ZAID],
};

/** Returns the use of a parcel in a year. Years outside of `SECOND_YEARS` have the use of the nearest year. */
export const kindIn = ({ kinds }: Plot, year: number): Kind =>
  kinds[Math.min(kinds.length - 1, Math.max(0, year - SECOND_YEARS[0]))] ?? 'scrub';

/** Returns a function that computes the plants of a parcel on a day. */
export function standOf(plot: Plot, rain: Rain, seed: number): (day: number) => Stand {
  const years = [SECOND_YEARS[0] - 1, ...SECOND_YEARS, SECOND_YEARS[2] + 1];
  const crops = years.flatMap((year) => sow(plot, year, { rain, seed }));
  const unsown = new Map(plot.kinds.map((kind) => [kind, wild(kind, new Dice('wild', kind, plot.id, seed), rain)]));
  return (day) => {
    const own = unsown.get(kindIn(plot, yearOf(day)))?.(day) ?? { leaf: 0, dry: 0 };
    let { leaf, dry } = own;
    for (const crop of crops) {
      leaf += leafOf(crop, day);
      dry = Math.max(dry, stubbleOf(crop, day));
    }
    return { leaf, dry };
  };
}

function sow(
  plot: Plot,
  year: number,
  { rain, seed }: { readonly rain: Rain; readonly seed: number },
): readonly Crop[] {
  const seasons = SEASONS[kindIn(plot, year)] ?? [];
  return seasons.map((season, nth): Crop => {
    const dice = new Dice('crop', plot.id, year, nth, seed);
    const from = season.after === 'onset' ? rain.onset(year) : julyFirst(year);
    const sown = from + dice.within(...season.sow);
    return {
      sown,
      toPeak: dice.within(...season.toPeak),
      cut: sown + dice.within(...season.lasts),
      leaf: dice.within(...season.leaf),
      shape: dice.within(2.6, 4.6),
      stubble: dice.hits(0.35) ? 3 : dice.within(12, 40),
    };
  });
}

function leafOf({ sown, toPeak, cut, leaf, shape }: Crop, day: number): number {
  if (day <= sown || day >= cut + 4) return 0;
  const t = (day - sown) / toPeak;
  const standing = leaf * (t * Math.exp(1 - t)) ** shape;
  return day <= cut ? standing : standing * (1 - (day - cut) / 4);
}

function stubbleOf({ sown, toPeak, cut, stubble }: Crop, day: number): number {
  if (day < sown + toPeak || day > cut + 120) return 0;
  if (day <= cut) return 0.5 * ((day - sown - toPeak) / (cut - sown - toPeak)) ** 2;
  return 0.55 * 0.5 ** ((day - cut) / stubble);
}

/** Plants of an unsown parcel. All parameters are random, so that no threshold separates two kinds exactly. */
function wild(kind: Kind, dice: Dice, rain: Rain): (day: number) => Stand {
  if (kind === 'evergreen') {
    const [leaf, swing] = [dice.within(3, 5.5), dice.within(0.1, 0.8)];
    return (day) => ({ leaf: leaf + swing * season(day, 95), dry: 0.08 });
  }
  if (kind === 'moistForest')
    return shedding({ full: dice.within(3.6, 5.4), least: dice.within(1.1, 2), sharp: dice.within(1, 2) }, dice);
  if (kind === 'dryForest')
    return shedding({ full: dice.within(2, 4), least: dice.within(0.12, 0.5), sharp: dice.within(0.6, 1.3) }, dice);
  if (kind === 'scrub') {
    const [base, gain, dry] = [dice.within(0.35, 0.75), dice.within(0.35, 1.15), dice.within(0.1, 0.3)];
    return (day) => ({ leaf: base + gain * rain.green(day), dry: dry * (1 - rain.green(day)) });
  }
  if (kind === 'bare') {
    const grass = dice.within(0, 0.22);
    return (day) => ({ leaf: grass * rain.green(day), dry: 0.02 });
  }
  if (kind === 'built') {
    const garden = dice.within(0.05, 0.5);
    return (day) => ({ leaf: garden * (0.85 + 0.15 * rain.green(day)), dry: 0.02 });
  }
  if (kind === 'cane') return cane(dice);
  const weeds = dice.within(0.02, 0.35);
  return (day) => ({ leaf: weeds * rain.green(day), dry: 0.04 });
}

/** First harmonic of the year, with its maximum `peak` days after 1 July. */
const season = (day: number, peak: number): number => Math.cos((2 * Math.PI * (day - peak)) / 365.25);

/** Leaves of a deciduous forest: a yearly wave whose phase is modulated. Leaves grow as fast as they fall. */
function shedding(
  { full, least, sharp }: { readonly full: number; readonly least: number; readonly sharp: number },
  dice: Dice,
): (day: number) => Stand {
  const peak = dice.within(88, 118);
  const litter = dice.within(0.2, 0.45);
  return (day) => {
    const wave = season(day + 14 * Math.sin((2 * Math.PI * (day - peak)) / 365.25), peak);
    const share = (0.5 + 0.5 * wave) ** sharp;
    return { leaf: least + (full - least) * share, dry: litter * (1 - share) };
  };
}

/** Sugar cane that is cut once a year between November and March. */
function cane(dice: Dice): (day: number) => Stand {
  const [cutDay, leaf, pace] = [dice.within(140, 260), dice.within(3, 4.8), dice.within(42, 62)];
  return (day) => {
    const since = (((day - cutDay) % 365.25) + 365.25) % 365.25;
    return { leaf: leaf * (1 - Math.exp(-((since / pace) ** 2) / 2)), dry: 0.5 * 0.5 ** (since / 30) };
  };
}
