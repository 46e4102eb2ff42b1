import { expect, it } from 'vitest';
import { smooth5 } from './smooth.ts';

it('equals scipy.signal.savgol_filter(x, 5, 2), ends included', () => {
  const out = new Float64Array(9);
  smooth5(Int16Array.from([-1, 2000, 2500, 4000, 7000, 7500, 5000, 3000, 2200, 2100, -1]), 1, out);
  const scipy = [1714.285714, 2942.857143, 4385.714286, 6700, 7157.142857, 5240, 3102.857143, 2171.428571, 2097.142857];
  scipy.forEach((v, i) => expect(out[i]).toBeCloseTo(v, 5));
});

it('leaves a parabola as it is', () => {
  const parabola = Array.from({ length: 31 }, (_, k) => 100 + 7 * k - 2 * k * k);
  const out = new Float64Array(31);
  smooth5(Int16Array.from(parabola), 0, out);
  parabola.forEach((v, i) => expect(out[i]).toBeCloseTo(v, 6));
});
