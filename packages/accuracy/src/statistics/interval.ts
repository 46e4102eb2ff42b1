/** Half-width of a 95 % interval in standard errors, rounded as in Olofsson et al. (2014). */
export const Z = 1.96;

/** The 95 % interval of a share or of an area. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A figure with its uncertainty. */
export interface Estimate extends Interval {
  readonly value: number;
  readonly standardError: number;
  /** `normal`: value -+ 1.96 standard errors. `wilson`: Wilson's interval, which is also valid for few samples. */
  readonly method: 'normal' | 'wilson';
}

/**
 * Wilson's score interval (1927, doi:10.1080/01621459.1927.10502953) of a share in `count` samples; 0-1 without
 * samples.
 */
export function wilson(share: number, count: number): Interval {
  if (!(count > 0)) return { low: 0, high: 1 };
  const z2 = Z * Z;
  const middle = (share + z2 / (2 * count)) / (1 + z2 / count);
  const half = (Z * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count * count))) / (1 + z2 / count);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Estimates the share `hits / of` with the binomial standard error and Wilson's interval; null without samples. */
export function binomial(hits: number, of: number): Estimate | null {
  if (of === 0) return null;
  const value = hits / of;
  return { value, standardError: Math.sqrt((value * (1 - value)) / of), ...wilson(value, of), method: 'wilson' };
}

/** Estimate with the interval value -+ 1.96 standard errors, clamped to the range of the figure (default 0-1). */
export function normal(value: number, standardError: number, { least = 0, most = 1 } = {}): Estimate {
  const half = Z * standardError;
  const [low, high] = [Math.max(least, value - half), Math.min(most, value + half)];
  return { value, standardError, low, high, method: 'normal' };
}
