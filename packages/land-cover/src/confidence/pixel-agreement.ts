import type { CombineBlock } from '@headwater/core/pixel-plan';
import { MOST } from './evidence.ts';

/** Number of rows above and below a pixel in which it has neighbours: the `halo` of the plan. */
export const NEIGHBOUR_ROWS = 1;

/**
 * Change of the log-odds if all neighbours have another class (`OTHER`), or if all have the same class (`SAME`).
 * For one neighbour, `e2e/confidence` measured -2.0 to -2.2 (another class) and 0.17 (the same class). About
 * half of this is used, because errors of adjacent pixels are correlated (decision 260).
 */
const [OTHER, SAME] = [-1, 0.1];
const COUNTS = 9;

/** Adjusted confidence, percent: `[neighbours of the same class][neighbours of another class][confidence]`. */
const TABLE = Uint8Array.from({ length: COUNTS * COUNTS * 128 }, (_, at) => {
  const percent = at % 128;
  const [same, other] = [Math.floor(at / 128 / COUNTS), (at >> 7) % COUNTS];
  if (percent === 0 || percent >= 100 || same + other === 0) return percent;
  const change = (SAME * same + OTHER * other) / (same + other);
  const odds = Math.log(percent / (100 - percent)) + change;
  return Math.max(1, Math.min(Math.max(MOST, percent), Math.round(100 / (1 + Math.exp(-odds)))));
});

/**
 * Confidence (percent), adjusted by the numbers of neighbours of the same class and of another class (together 0 to 8).
 */
export const withPixels = (confidence: number, same: number, other: number): number =>
  TABLE[((same * COUNTS + other) << 7) | confidence]!;

/**
 * Adjusts each pixel's confidence by its eight neighbours. Inputs `labels` and `confidence` with a halo of
 * `NEIGHBOUR_ROWS`; output `confidence`. Neighbours without a class do not count.
 */
export const pixelAgreementBlock: CombineBlock = ({ pixels, cols, inputs, outputs }) => {
  const { labels, confidence } = inputs;
  const out = outputs['confidence'];
  if (cols === undefined || !labels || !confidence || !out) {
    throw new TypeError('pixelAgreementBlock: needs cols, inputs labels and confidence, and output confidence');
  }
  for (let first = 0; first < pixels; first += cols)
    for (let col = 0; col < cols; col++) {
      const at = first + cols + col;
      const label = labels[at]!;
      if (label === 0) continue;
      // `same` begins at -1, because the loop also counts the pixel itself.
      let [same, other] = [-1, 0];
      const [west, east] = [col === 0 ? 0 : 1, col === cols - 1 ? 0 : 1];
      for (let row = at - cols; row <= at + cols; row += cols)
        for (let i = row - west; i <= row + east; i++) {
          if (labels[i] === label) same++;
          else if (labels[i] !== 0) other++;
        }
      out[first + col] = withPixels(confidence[at]!, same, other);
    }
};
