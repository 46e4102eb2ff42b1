import { expect, it } from 'vitest';
import { modeOf } from './class-mode.ts';

it.each([
  [[8, 9, 8], 8],
  [[12, 8, 1], 1],
  [[11, 10, 10], 10],
  [[0, 0, 12], 12],
  [[0, 0, 0], 0],
])(
  'the mode of %j is %d: the lowest code if codes are equally frequent, unknown only if all are unknown',
  (labels, mode) => expect(modeOf(Uint8Array.from(labels), [0, labels.length], new Uint8Array(13))).toBe(mode),
);
