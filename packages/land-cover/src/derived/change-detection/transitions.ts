import { modeOf } from '@headwater/core/pixel-plan';
import { CHANGE_LAYERS, CHANGE_NAMES, type ChangeName, UNSEEN } from './layers.ts';

/** Smallest number of years: a comparison needs an earlier and a later period. */
export const CHANGE_MIN_YEARS = 2;

/** Number of years of the earlier period: three, or all years except the last if there are fewer than four years. */
export const thenYears = (count: number): number => Math.min(3, count - 1);

const CODES = 13;
const TREES = 6;
/**
 * Numbers of single years with which a pixel is smoothed. A single year is a year with trees between years without trees, or a year
 * without trees between years with trees. Fewer single years are plausible changes, and more single years are not noise.
 */
const SMOOTHED_FLIPS: readonly number[] = [3, 4];

/**
 * Computes the five layers' codes from yearly classes of the same pixels, oldest first; 0 means that no transition of the layer applies.
 * `UNSEEN` means that the earlier or the later period has no known class.
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

/** Most frequent class of the earlier and the later period, as `earlier * 13 + later`. */
function pairOf(labels: Uint8Array, counts: Uint8Array): number {
  const now = thenYears(labels.length);
  return modeOf(labels, [0, now], counts) * CODES + modeOf(labels, [now, labels.length], counts);
}

/**
 * Removes single years: another class between two years of trees becomes trees, and a single year of trees gets the class of the
 * previous year. Only pixels with 3 or 4 single years in the original series are changed. Years of class 0 are skipped, and stay class
 * 0. The previous year is already smoothed when a year is compared with it, so forest in every second year becomes forest in all years.
 */
export function smoothForest(labels: Uint8Array, smooth: Uint8Array): void {
  smooth.set(labels);
  // A year that was not seen must not count as a year without trees. So unseen years are left out, and each year is compared with the
  // nearest seen years.
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
