import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { classifyBlock } from './blocks.ts';
import { seeded } from './simulated-year.fixture.ts';

/**
 * Season of NDVI. `mid`: days from 1 July to the middles of rise and fall. `days`: durations of rise and fall, from 10
 * to 90 percent of the height.
 */
export interface Season {
  readonly mid: readonly [rise: number, fall: number];
  readonly days: readonly [rise: number, fall: number];
  /** Highest NDVI minus the NDVI of the ground. */
  readonly height: readonly [from: number, to: number];
}

/** Land with a double logistic NDVI by day (Beck et al. 2006, RSE 100:321), equal each year. */
export interface Land {
  readonly ground: readonly [from: number, to: number];
  readonly seasons: readonly Season[];
}

/** Observation of a year. `seen`: share of observed 16-day steps. `margins`: true if the margins are observed. */
export interface View {
  readonly seen: number;
  readonly margins: boolean;
  readonly latitude: number | undefined;
}

const [STEPS, CORE, FROM] = [31, 23, 4];
const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
/** Width of the logistic function from 10 to 90 percent of the height, for a scale of 1. */
const WIDTH = 4.4;

const greenOf = ({ mid, days }: Season, day: number): number =>
  logistic(((day - mid[0]) * WIDTH) / days[0]) * logistic(((mid[1] - day) * WIDTH) / days[1]);

/**
 * Classifies 200 pixels by NDVI only. Heights, dates, noise (standard deviation 0.025) and dimmed values (1 in 20) are
 * random.
 */
export function classesOf({ ground, seasons }: Land, { seen, margins, latitude }: View): Uint8Array {
  const pixels = 200;
  const random = seeded(20_260_701);
  const within = ([a, b]: readonly [number, number]): number => a + (b - a) * random();
  const ndvi = new Int16Array(STEPS * pixels).fill(INDEX_NODATA);
  for (let i = 0; i < pixels; i++) {
    const base = within(ground);
    const shift = within([-10, 10]);
    const heights = seasons.map(({ height }) => within(height));
    for (let s = 0; s < STEPS; s++) {
      const isCore = s >= FROM && s < FROM + CORE;
      const noise = 0.05 * (random() + random() + random() - 1.5);
      const dim = random() < 0.05 ? within([0.6, 0.9]) : 1;
      if (random() >= seen || (!isCore && !margins)) continue;
      const day = (s - FROM) * 16 + 8 - shift;
      const green = seasons.flatMap((season, k) =>
        [-365, 0, 365].map((year) => (heights[k] ?? 0) * greenOf(season, day + year)),
      );
      ndvi[s * pixels + i] = Math.round(10_000 * dim * (base + Math.max(0, ...green) + noise));
    }
  }
  const unknown = (): Int16Array => new Int16Array(CORE * pixels).fill(INDEX_NODATA);
  const plane = (): Uint8Array => new Uint8Array(pixels);
  const outputs = { labels: plane(), crops: plane(), quality: plane() };
  const series = { ndvi, mndwi: unknown(), ndbi: unknown(), bsi: unknown() };
  const core = [FROM, FROM + CORE];
  const params = latitude === undefined ? { core } : { core, latitude };
  classifyBlock({ pixels, series, clear: new Uint16Array(pixels).fill(30), outputs, params });
  return outputs.labels;
}
