import { chance } from './random.ts';
import { SIZE } from './sample-frame.ts';
import { smoothField } from './smooth-field.ts';

/** Division of the land into fields. */
export interface FieldLots {
  readonly lotOf: Uint16Array;
  /** Pixel near the middle of each lot. */
  readonly centres: readonly number[];
  /** Neighbouring lots of one farmer share a holding. */
  readonly holdings: readonly number[];
}

/** Fields of about 11 x 13 pixels in wavy rows. */
export function fieldLots(seed: number): FieldLots {
  const waves = [
    [70, 7],
    [25, 1.6],
  ] as const;
  const down = smoothField({ size: SIZE, seed: seed + 21, waves });
  const right = smoothField({ size: SIZE, seed: seed + 22, waves });
  const rows = cuts(seed + 23, 9, 13);
  const columns = new Map<number, Uint16Array>();
  const lotOf = new Uint16Array(SIZE * SIZE);
  const members = new Map<string, { index: number; pixels: number[]; holding: number }>();
  for (let i = 0; i < lotOf.length; i += 1) {
    const row = rows[Math.floor(i / SIZE + (down[i] ?? 0)) + 20] ?? 0;
    let cols = columns.get(row >> 1);
    if (cols === undefined) columns.set(row >> 1, (cols = cuts(seed + 31 * (row >> 1) + 24, 10, 16)));
    const col = cols[Math.floor((i % SIZE) + (right[i] ?? 0)) + 20] ?? 0;
    const key = `${row}/${col}`;
    let lot = members.get(key);
    if (lot === undefined)
      members.set(key, (lot = { index: members.size, pixels: [], holding: (row >> 1) * 4096 + (col >> 1) }));
    lot.pixels.push(i);
    lotOf[i] = lot.index;
  }
  const lots = [...members.values()];
  return { lotOf, centres: lots.map((l) => middle(l.pixels)), holdings: lots.map((l) => l.holding) };
}

function middle(pixels: readonly number[]): number {
  let row = 0;
  let col = 0;
  for (const i of pixels) {
    row += Math.floor(i / SIZE);
    col += i % SIZE;
  }
  return Math.round(row / pixels.length) * SIZE + Math.round(col / pixels.length);
}

/** Strip number of each coordinate (shifted by 20); strips are `low` to `high` pixels wide. */
function cuts(seed: number, low: number, high: number): Uint16Array {
  const strips = new Uint16Array(SIZE + 40);
  let strip = 0;
  let left = low;
  for (let i = 0; i < strips.length; i += 1) {
    if (left <= 0) {
      strip += 1;
      left = Math.round(low + chance(seed, strip) * (high - low));
    }
    left -= 1;
    strips[i] = strip;
  }
  return strips;
}
