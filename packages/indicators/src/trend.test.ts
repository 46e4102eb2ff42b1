import { expect, it } from 'vitest';
import { trendOf } from './trend.ts';

// Z by hand. n = 5, S = 10: variance 5 * 4 * 15 / 18 = 16.67, Z = (10 - 1) / 4.08 = 2.20. n = 4, S = 6: Z = (6 - 1) / 2.94 = 1.70.
it.each([
  ['rises every year for five years', [0.9, 1, 1.1, 1.2, 1.3], '1'],
  ['falls every year for five years', [1.3, 1.2, 1.1, 1, 0.9], '-1'],
  ['rises for four years, which is not significant', [1, 1.1, 1.2, 1.3], '0'],
  ['is constant', [1, 1, 1, 1, 1, 1, 1, 1], '0'],
  // S = 22, two ties of 2: variance (1176 - 36) / 18 = 63.3, Z = 21 / 7.96 = 2.64.
  ['rises over eight years with ties and a dip', [1, 1.1, 1.1, 1.3, 1.2, 1.2, 1.4, 1.5], '1'],
  // n = 8, S = 10: variance 1176 / 18 = 65.3, Z = (10 - 1) / 8.08 = 1.11.
  ['rises irregularly over eight years, which is not significant', [1.1, 1, 1.3, 1.2, 1.15, 1.4, 1.12, 1.35], '0'],
  ['has no years', [], '0'],
  ['has five known years and an unknown one', [0.9, 1, null, 1.1, 1.2, 1.3], '1'],
] as const)('%s', (_, values, expected) => expect(trendOf(values)).toBe(expected));
