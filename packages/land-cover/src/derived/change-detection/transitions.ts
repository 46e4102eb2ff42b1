import { modeOf } from '@headwater/core/pixel-plan';
import { CHANGE_LAYERS, CHANGE_NAMES, type ChangeName, UNSEEN } from './layers.ts';

/** Minimum number of years, because a comparison needs an earlier and a later period. */
export const CHANGE_MIN_YEARS = 2;

/** Number of years in the earlier period: three, or all years except the last if there are fewer than four. */
export const thenYears = (count: number): number => Math.min(3, count - 1);

const CODES = 13;
const TREES = 6;
/**
 * A pixel is smoothed only if it has one of these numbers of single years. A single year has trees between years
 * without trees, or the reverse.
 */
const SMOOTHED_FLIPS: readonly number[] = [3, 4];

/**
 * Computes the codes of the five layers from yearly classes, oldest first. 0: no transition; `UNSEEN`: no known class
 * in a period.
 */
export function changesOf(years: readonly Uint8Array[], outputs: Readonly<Record<ChangeName, Uint8Array>>): void {
  const labels = new Uint8Array(years.length);
  const smooth = new Uint8Array(years.length);
  const counts = new Uint8Array(CODES);
  const pixels = years[0]?.length ?? 0;
  for (let i = 0; i < pixels; i++) {
    for (let y = 0; y < labels.length; y++) labels[y] = years[y]![i]!;
    smoothForest(labels, smooth);
    const plain = pairOf(labels, counts);
    const forest = pairOf(smooth, counts);
    for (const name of CHANGE_NAMES) outputs[name][i] = TABLES[name][CHANGE_LAYERS[name].isForest ? forest : plain]!;
  }
}

/** Most frequent classes of both periods, as `earlier * 13 + later`. */
function pairOf(labels: Uint8Array, counts: Uint8Array): number {
  const now = thenYears(labels.length);
  return modeOf(labels, [0, now], counts) * CODES + modeOf(labels, [now, labels.length], counts);
}

/**
 * Removes single years. Another class between two years of trees becomes trees; a single year of trees gets the
 * previous class, which is already smoothed. Only pixels with 3 or 4 single years change; class 0 is skipped.
 */
export function smoothForest(labels: Uint8Array, smooth: Uint8Array): void {
  smooth.set(labels);
  // Unseen years must not count as years without trees, so the nearest seen years are compared.
  const seen = labels.includes(0) ? labels.filter((label) => label !== 0) : labels;
  let flips = 0;
  for (let y = 1; y < seen.length - 1; y++) if (isIsolated(seen, y)) flips++;
  if (!SMOOTHED_FLIPS.includes(flips)) return;
  const result = seen === labels ? smooth : seen;
  for (let y = 1; y < result.length - 1; y++) {
    if (isIsolated(result, y)) result[y] = result[y] === TREES ? result[y - 1]! : TREES;
  }
  if (seen === labels) return;
  let next = 0;
  for (let y = 0; y < labels.length; y++) if (labels[y] !== 0) smooth[y] = seen[next++]!;
}

function isIsolated(labels: Uint8Array, y: number): boolean {
  const isForest = labels[y] === TREES;
  return (labels[y - 1] === TREES) !== isForest && (labels[y + 1] === TREES) !== isForest;
}

/** Code of each pair of classes, `[13 * 13]`, by layer. */
const TABLES: Readonly<Record<ChangeName, Uint8Array>> = {
  Urbanization: tableOf('Urbanization'),
  Degradation: tableOf('Degradation'),
  Deforestation: tableOf('Deforestation'),
  Afforestation: tableOf('Afforestation'),
  CropIntensity: tableOf('CropIntensity'),
};

function tableOf(name: ChangeName): Uint8Array {
  const { groups, transitions } = CHANGE_LAYERS[name];
  const table = new Uint8Array(CODES * CODES);
  for (let code = 0; code < CODES; code++) table[code * CODES] = table[code] = UNSEEN;
  for (const { from, to, code } of transitions) {
    for (const then of groups[from] ?? []) for (const now of groups[to] ?? []) table[then * CODES + now] = code;
  }
  return table;
}
