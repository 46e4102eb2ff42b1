import { DomainError } from '@headwater/core/errors';
import type { HistogramBins, ZonalValuesRequest, ZoneValues } from '@headwater/core/ports';
import type { RunRows, ValueWindow } from './run-sums.ts';
import { ascendingOrder, inParts } from './value-order.ts';

/** Maximum numbers: values in memory for quantiles; bins of one zone; bins of all zones. */
const [MOST_VALUES, MOST_BINS, MOST_ZONE_BINS] = [2 ** 24, 2 ** 16, 2 ** 24];

/** Distribution that a request requires for its zones. */
export interface DistributionRequest {
  readonly quantiles: readonly number[];
  readonly histogram: HistogramBins | undefined;
  /** Number of values in memory, of all zones together. */
  values: number;
}

/**
 * Distribution that a request requires; null if it requires none. Throws `input_data` for an impossible quantile or
 * histogram.
 */
export function distributionOf({ zones, quantiles = [], histogram }: ZonalValuesRequest): DistributionRequest | null {
  const wrong = quantiles.find((q) => !(q >= 0 && q <= 1));
  if (wrong !== undefined) throw new DomainError('input_data', `quantiles: ${wrong} is not a number from 0 to 1`);
  if (histogram !== undefined) checkBins(histogram, new Set(zones.map(({ id }) => id)).size);
  return quantiles.length === 0 && histogram === undefined ? null : { quantiles, histogram, values: 0 };
}

function checkBins({ from, to, bins }: HistogramBins, zones: number): void {
  if (!(Number.isInteger(bins) && bins > 0 && bins <= MOST_BINS && Number.isFinite(to - from) && to > from))
    throw new DomainError(
      'input_data',
      `histogram: ${bins} bins from ${from} to ${to} are impossible; give 1 to ${MOST_BINS} bins, and a finite \`to\` above \`from\``,
    );
  if (bins * zones > MOST_ZONE_BINS)
    throw new DomainError(
      'input_data',
      `histogram: ${zones} zones of ${bins} bins each exceed ${MOST_ZONE_BINS} bins; request fewer bins, or fewer zones at a time`,
    );
}

/** Distribution of the values of one zone. */
export class ZoneDistribution {
  readonly #request: DistributionRequest;
  #m2 = new Float64Array(0);
  #values = new Float64Array(0);
  #weights = new Float64Array(0);
  #count = 0;

  constructor(request: DistributionRequest) {
    this.#request = request;
  }

  /**
   * Adds the values of some rows. Leaves out pixels of which the zone covers a share below `least`. `rowAreas`: area of
   * a pixel in each row of the raster, m2.
   */
  add(
    { data, cols, row: top, col: left }: ValueWindow,
    { row, rows, starts, from, to, fraction }: RunRows,
    { rowAreas, least }: { readonly rowAreas: Float64Array; readonly least: number },
  ): void {
    for (let r = 0; r < rows; r++) {
      const base = (row + r - top) * cols - left;
      for (let run = starts[r]!; run < starts[r + 1]!; run++) {
        const share = fraction[run]!;
        if (share < least) continue;
        const values = data.subarray(base + from[run]!, base + to[run]!);
        if (this.#request.histogram !== undefined)
          this.#addBins(values, this.#request.histogram, share * rowAreas[row + r]!);
        if (this.#request.quantiles.length > 0) this.#addValues(values, share);
      }
    }
  }

  #addBins(values: Float32Array | Float64Array, { from, to, bins }: HistogramBins, m2: number): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      // The condition is negated, so that NaN is also skipped.
      if (!(value >= from && value <= to)) continue;
      if (this.#m2.length === 0) this.#m2 = new Float64Array(bins);
      const bin = Math.min(Math.floor(((value - from) * bins) / (to - from)), bins - 1);
      this.#m2[bin] = this.#m2[bin]! + m2;
    }
  }

  #addValues(values: Float32Array | Float64Array, share: number): void {
    this.#reserve(values.length);
    for (let i = 0; i < values.length; i++) {
      if (Number.isNaN(values[i]!)) continue;
      this.#values[this.#count] = values[i]!;
      this.#weights[this.#count++] = share;
    }
  }

  #reserve(more: number): void {
    const needed = this.#count + more;
    this.#request.values += more;
    if (this.#request.values > MOST_VALUES)
      throw new DomainError(
        'input_data',
        `quantiles: the zones have more than ${MOST_VALUES} pixels; request fewer zones at a time, or a histogram`,
      );
    if (needed <= this.#values.length) return;
    const size = Math.max(needed, 2 * this.#values.length);
    const [values, weights] = [new Float64Array(size), new Float64Array(size)];
    values.set(this.#values);
    weights.set(this.#weights);
    [this.#values, this.#weights] = [values, weights];
  }

  /** Computes the requested members of `ZoneValues`. Throws the reason of an abort. */
  async result(m2PerHa: number, signal: AbortSignal): Promise<Pick<ZoneValues, 'quantiles' | 'histogram'>> {
    const { quantiles, histogram } = this.#request;
    const areas = (bins: number): number[] => Array.from({ length: bins }, (_, bin) => (this.#m2[bin] ?? 0) / m2PerHa);
    return {
      ...(quantiles.length === 0 ? {} : { quantiles: await this.#quantiles(quantiles, signal) }),
      ...(histogram === undefined ? {} : { histogram: areas(histogram.bins) }),
    };
  }

  /**
   * Rule of exactextract: sorted value k has the position `k * w(k) + (n - 1) * sum of w before k`, where w are the
   * weights. Quantile q is interpolated at `q * (n - 1) * sum of w`.
   */
  async #quantiles(quantiles: readonly number[], signal: AbortSignal): Promise<readonly (number | null)[]> {
    const n = this.#count;
    const order = await ascendingOrder(this.#values.subarray(0, n), signal);
    const places = new Float64Array(n);
    let before = 0;
    await inParts(n, signal, (from, to) => {
      for (let k = from; k < to; k++) {
        const weight = this.#weights[order[k]!]!;
        places[k] = k * weight + (n - 1) * before;
        before += weight;
      }
    });
    return quantiles.map((q) => {
      if (n === 0) return null;
      const at = q * (n - 1) * before;
      let [low, high] = [0, n];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (places[middle]! <= at) low = middle;
        else high = middle;
      }
      const left = this.#values[order[low]!]!;
      if (high === n) return left;
      return left + ((at - places[low]!) * (this.#values[order[high]!]! - left)) / (places[high]! - places[low]!);
    });
  }
}
