import { lulcSeries } from '../series/series.ts';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';

/** Reflectance (0-1) in blue, green, red, near infrared and short-wave infrared (1.6 um). */
type Spectrum = readonly [number, number, number, number, number];

const SOILS: readonly Spectrum[] = [
  [0.06, 0.08, 0.105, 0.15, 0.22],
  [0.08, 0.11, 0.15, 0.21, 0.3],
  [0.1, 0.14, 0.19, 0.26, 0.36],
];
const ROOFS: readonly Spectrum[] = [
  [0.13, 0.15, 0.17, 0.21, 0.24],
  [0.22, 0.24, 0.25, 0.27, 0.27],
  [0.1, 0.12, 0.15, 0.19, 0.23],
];
const ROCKS: readonly Spectrum[] = [
  [0.12, 0.16, 0.21, 0.26, 0.36],
  [0.07, 0.08, 0.1, 0.125, 0.18],
];
const WATERS: readonly Spectrum[] = [
  [0.05, 0.06, 0.045, 0.025, 0.012],
  [0.08, 0.1, 0.09, 0.05, 0.02],
];
const LEAVES: readonly Spectrum[] = [
  [0.025, 0.055, 0.03, 0.42, 0.17],
  [0.03, 0.06, 0.035, 0.38, 0.18],
];

/** Random numbers 0-1 for a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Cover {
  readonly ground: (day: number) => Spectrum;
  readonly leaf: (day: number) => number;
}

const bump = (day: number, peak: number, width: number): number => Math.exp(-(((day - peak) / width) ** 2));
const yearly = (day: number, peak: number, width: number): number =>
  bump(day, peak, width) + bump(day + 365, peak, width) + bump(day - 365, peak, width);

function coverOf(code: number, random: () => number): Cover {
  const between = (a: number, b: number): number => a + (b - a) * random();
  const one = (list: readonly Spectrum[]): Spectrum => list[Math.floor(random() * list.length)] ?? [0, 0, 0, 0, 0];
  const soil = one(SOILS);
  const on = (ground: Spectrum, leaf: (day: number) => number): Cover => ({ ground: () => ground, leaf });
  const [base, vigour, shift] = [between(0, 0.06), between(0.62, 0.9), between(-12, 12)];
  const peaks: Readonly<Record<number, readonly number[]>> = { 8: [78], 9: [212], 10: [78, 212], 11: [78, 212, 298] };
  const crop = peaks[code];
  if (crop !== undefined) {
    const width = (peak: number): number => (peak === 298 ? 20 : 26);
    return on(soil, (d) => base + vigour * crop.reduce((sum, p) => sum + yearly(d, p + shift, width(p)), 0));
  }
  if (code >= 2 && code <= 4) {
    const water = one(WATERS);
    const dry = { 2: between(118, 140), 3: between(225, 260), 4: 1000 }[code] ?? 0;
    const isWet = (d: number): boolean => code === 4 || (d > 8 && d < dry) || d > 373;
    return { ground: (d) => (isWet(d) ? water : soil), leaf: (d) => (isWet(d) ? 0 : 0.06) };
  }
  if (code === 6 && random() < 0.5) {
    const [low, high] = [between(0.38, 0.5), between(0.8, 0.95)];
    return on(soil, (d) => high - (high - low) * yearly(d, 300 + shift, 40));
  }
  const [evergreen, garden, grass, scrub] = [
    between(0.75, 0.95),
    between(0.02, 0.2),
    between(0, 0.05),
    between(0.13, 0.2),
  ];
  if (code === 6) return on(soil, () => evergreen);
  if (code === 1) return on(one(ROOFS), () => garden);
  if (code === 7) return on(one(ROCKS), (d) => grass + 0.05 * yearly(d, 70, 45));
  return on(soil, (d) => scrub + between(0.14, 0.16) * yearly(d, 80 + shift, 65));
}

function clearShare(day: number): number {
  const d = ((day % 365) + 365) % 365;
  if (d < 85) return 0.15;
  if (d < 110) return 0.5;
  return d > 350 ? 0.4 : 0.85;
}

/**
 * Simulates a year of pixels with these class codes: acquisitions every 5 days, with noise and undetected thin haze.
 */
export function simulateBlock(codes: readonly number[], random: () => number) {
  const { steps, core } = lulcSeries(2021);
  const origin = Date.parse('2021-07-01');
  const day = (date: string): number => (Date.parse(date) - origin) / 86_400_000;
  const pixels = codes.length;
  const inCore = core[1] - core[0];
  const plane = (count: number): Int16Array => new Int16Array(count * pixels).fill(INDEX_NODATA);
  const series = { ndvi: plane(steps.length), mndwi: plane(inCore), ndbi: plane(inCore), bsi: plane(inCore) };
  const clear = new Uint16Array(pixels);
  for (const [i, code] of codes.entries()) {
    const cover = coverOf(code, random);
    for (const [s, { start, end }] of steps.entries()) {
      const seen: number[][] = [];
      for (let d = Math.ceil(day(start) / 5) * 5; d < day(end); d += 5)
        if (random() < clearShare(d)) seen.push(indices(cover, d, random));
      const isCore = s >= core[0] && s < core[1];
      if (isCore) clear[i] = (clear[i] ?? 0) + seen.length;
      const at = (s - core[0]) * pixels + i;
      series.ndvi[s * pixels + i] = median(seen.map((x) => x[0] ?? 0));
      if (!isCore) continue;
      series.mndwi[at] = median(seen.map((x) => x[1] ?? 0));
      series.ndbi[at] = median(seen.map((x) => x[2] ?? 0));
      series.bsi[at] = median(seen.map((x) => x[3] ?? 0));
    }
  }
  return { pixels, series, clear, core };
}

function indices(cover: Cover, day: number, random: () => number): number[] {
  const noise = (): number => random() + random() + random() - 1.5;
  const leaf = Math.min(1, Math.max(0, cover.leaf(day)));
  const canopy = LEAVES[day % 2] ?? [0, 0, 0, 0, 0];
  const [haze, light] = [random() < 0.02 ? 0.12 : 0, 1 + 0.05 * noise()];
  const mixed = cover.ground(day).map((g, b) => {
    const clean = (g * (1 - leaf) + (canopy[b] ?? 0) * leaf) * light * (1 + 0.03 * noise());
    return Math.max(0.001, clean + haze + 0.005 * noise());
  });
  const [blue = 0, green = 0, red = 0, nir = 0, swir = 0] = mixed;
  const ratio = (a: number, b: number): number => (a - b) / (a + b);
  return [ratio(nir, red), ratio(green, swir), ratio(swir, nir), ratio(swir + red, nir + blue)];
}

function median(values: readonly number[]): number {
  if (values.length === 0) return INDEX_NODATA;
  const sorted = values.toSorted((a, b) => a - b);
  const [a, b] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
  return Math.round(((a + b) / 2) * 10_000);
}
