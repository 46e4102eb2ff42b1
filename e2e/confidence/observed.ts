import { lulcSeries } from '@headwater/land-cover';
import { classifyBlock, correctYears, pixelAgreementBlock } from '@headwater/land-cover/blocks';
import { LULC_THRESHOLDS as T } from '@headwater/land-cover';
import { SECOND_YEARS, type SecondYear, SIDE } from '../worlds/second/calendar.ts';
import { compose } from '../worlds/second/composites.ts';
import { secondWorld } from '../worlds/second/second-world.ts';
import { observeSetting } from '../worlds/settings/observe.ts';
import { CLIMATES, type SettingName } from '../worlds/settings/sky.ts';

/** Mapped pixels; `isRight` is true for a pixel with the right class. */
export interface Judged {
  readonly labels: Uint8Array;
  readonly evidence: Uint8Array;
  readonly confidence: Uint8Array;
  readonly isRight: (pixel: number) => boolean;
}

/** Planes of pixels in one block. */
export interface Planes {
  readonly pixels: number;
  readonly series: Readonly<Record<string, Int16Array>>;
  readonly clear: Uint16Array;
}

/** Classifies pixels; returns the classes and their evidence. Overwrites the series. */
export function classify({ pixels, series, clear }: Planes, core: readonly [number, number], latitude: number) {
  const plane = (): Uint8Array => new Uint8Array(pixels);
  const outputs = { labels: plane(), crops: plane(), quality: plane(), confidence: plane(), evidence: plane() };
  classifyBlock({ pixels, series, clear, outputs, params: { core, latitude } });
  return outputs;
}

const YEAR = 2021;
export const SETTINGS = ['steppe', 'tropics', 'deccan', 'plain'] as const satisfies readonly SettingName[];

/** Maps the four settings (synthetic landscapes) of a seed, with `each` pixels of every kind of land. */
export function judgeSettings(seed: number, each: number): Readonly<Record<(typeof SETTINGS)[number], Judged>> {
  const { steps, core, indices } = lulcSeries(YEAR);
  const judge = (name: SettingName): Judged => {
    const observed = observeSetting(name, { each, seed }, { steps, core, indices });
    const { kinds } = observed;
    const mapped = classify(observed, core, CLIMATES[name].latitude);
    return { ...mapped, isRight: (pixel) => kinds[pixel]?.right.includes(mapped.labels[pixel] ?? 0) ?? false };
  };
  return { steppe: judge('steppe'), tropics: judge('tropics'), deccan: judge('deccan'), plain: judge('plain') };
}

/** A mapped year with the planes that the temporal correction reads. */
export interface JudgedYear extends Judged {
  readonly crops: Uint8Array;
  readonly quality: Uint8Array;
}

/** Maps each year of the second world (a synthetic landscape) without temporal correction. */
export function judgeSecondWorld(): readonly JudgedYear[] {
  const { passes, truth } = secondWorld(2026);
  const mask = { band: 'scl', keep: T.sclKeep, missing: [0, 1], grow: T.sclGrow, dilate: T.sclDilate };
  return SECOND_YEARS.map((year: SecondYear) => {
    const { steps, core, indices } = lulcSeries(year);
    const mapped = classify({ pixels: SIDE * SIDE, ...compose(passes, { steps, core, indices, mask }) }, core, 18);
    const codes = truth(year);
    return { ...mapped, isRight: (pixel) => codes[pixel] === mapped.labels[pixel] };
  });
}

/** Returns a map of `cols` columns with confidence adjusted by neighbouring pixels. */
export function judgePixels<T extends Judged>(judged: T, cols: number): T {
  const pixels = judged.labels.length;
  const withHalo = (plane: Uint8Array): Uint8Array => {
    const rows = new Uint8Array(pixels + 2 * cols);
    rows.set(plane, cols);
    return rows;
  };
  const inputs = { labels: withHalo(judged.labels), confidence: withHalo(judged.confidence) };
  const confidence = new Uint8Array(pixels);
  pixelAgreementBlock({ pixels, cols, inputs, outputs: { confidence }, params: {} });
  return { ...judged, confidence };
}

/**
 * Returns the years with confidence adjusted by neighbouring years. The confidence is 0 for pixels whose class was
 * corrected.
 */
export function judgeNeighbours(judged: readonly JudgedYear[]): readonly Judged[] {
  const pixels = judged[0]?.labels.length ?? 0;
  const [inputs, outputs]: Record<string, Uint8Array>[] = [{}, {}];
  for (const [year, { labels, crops, quality, confidence }] of judged.entries()) {
    Object.assign(inputs!, planesOf(year, { labels, crops, quality, confidence }));
    const plane = (): Uint8Array => new Uint8Array(pixels);
    Object.assign(outputs!, planesOf(year, { labels: plane(), quality: plane(), confidence: plane() }));
  }
  correctYears({ pixels, inputs: inputs!, outputs: outputs!, params: { years: [...judged.keys()] } });
  return judged.map((one, year) => ({
    ...one,
    confidence: outputs![`confidence_${year}`]!.map((percent, i) =>
      outputs![`labels_${year}`]![i] === one.labels[i] ? percent : 0,
    ),
  }));
}

const planesOf = (year: number, planes: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(planes).map(([name, plane]) => [`${name}_${year}`, plane]));
