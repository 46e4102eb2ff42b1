const CODES = 256;

/** Counts of pairs by class code (0-255) in the reference and on the map. Counts may be fractions, such as hectares. */
export class ConfusionMatrix {
  readonly #counts = new Float64Array(CODES * CODES);

  /** Adds one pair, or `count` equal pairs. Throws RangeError for an invalid code. */
  add(reference: number, mapped: number, count = 1): void {
    if (!isCode(reference) || !isCode(mapped))
      throw new RangeError(
        `class codes must be whole numbers from 0 to 255, not ${reference} (reference) and ${mapped} (map)`,
      );
    const at = reference * CODES + mapped;
    this.#counts[at] = (this.#counts[at] ?? 0) + count;
  }

  /** Adds the pairs of pixels of two arrays of equal length, with the weight `count`. */
  addPixels(reference: Uint8Array, mapped: Uint8Array, count = 1): void {
    if (reference.length !== mapped.length)
      throw new RangeError(
        `the reference has ${reference.length} pixels, but the map has ${mapped.length}; give both the same number`,
      );
    const counts = this.#counts;
    for (let i = 0; i < mapped.length; i += 1) counts[(reference[i]! << 8) | mapped[i]!]! += count;
  }

  count(reference: number, mapped: number): number {
    return this.#counts[reference * CODES + mapped] ?? 0;
  }

  *pairs(): Generator<{ readonly reference: number; readonly mapped: number; readonly count: number }> {
    for (const [at, count] of this.#counts.entries())
      if (count !== 0) yield { reference: at >> 8, mapped: at & 255, count };
  }

  get total(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** Codes that occur in the reference or on the map, ascending. */
  get classes(): readonly number[] {
    const found = new Set<number>();
    for (const { reference, mapped } of this.pairs()) found.add(reference).add(mapped);
    return [...found].sort((a, b) => a - b);
  }

  referenceCount(code: number): number {
    return this.#counts.subarray(code * CODES, (code + 1) * CODES).reduce((sum, count) => sum + count, 0);
  }

  mappedCount(code: number): number {
    let sum = 0;
    for (let at = code; at < this.#counts.length; at += CODES) sum += this.#counts[at] ?? 0;
    return sum;
  }

  /** Share of pairs with equal classes, 0-1; NaN without pairs. */
  get overallAccuracy(): number {
    let agreed = 0;
    for (let code = 0; code < CODES; code += 1) agreed += this.count(code, code);
    return agreed / this.total;
  }

  /**
   * Cohen's kappa (1960, doi:10.1177/001316446002000104); NaN without pairs, or if the expected chance agreement is 1.
   */
  get kappa(): number {
    const chance = this.classes.reduce((sum, code) => sum + this.referenceCount(code) * this.mappedCount(code), 0);
    const expected = chance / this.total ** 2;
    return (this.overallAccuracy - expected) / (1 - expected);
  }

  /** Share of a reference class that was found (producer's accuracy), 0-1; NaN if the reference has no such class. */
  recall(code: number): number {
    return this.count(code, code) / this.referenceCount(code);
  }

  /** Share of a mapped class that is right (user's accuracy), 0-1; NaN if the class was not mapped. */
  precision(code: number): number {
    return this.count(code, code) / this.mappedCount(code);
  }

  /** Harmonic mean of precision and recall, 0-1; NaN if the class occurs on neither side. */
  f1(code: number): number {
    return (2 * this.count(code, code)) / (this.referenceCount(code) + this.mappedCount(code));
  }

  toString(): string {
    const codes = this.classes;
    const cell = (value: string | number): string => String(value).padStart(8);
    const percent = (share: number): string => cell(Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)}%`);
    const rows = codes.map((reference) => [
      cell(reference),
      ...codes.map((mapped) => cell(this.count(reference, mapped))),
      percent(this.recall(reference)),
    ]);
    const head = [cell('true'), ...codes.map((code) => cell(code)), cell('found')];
    const foot = [cell('right'), ...codes.map((code) => percent(this.precision(code)))];
    return [head, ...rows, foot].map((line) => line.join('')).join('\n');
  }
}

function isCode(code: number): boolean {
  return Number.isInteger(code) && code >= 0 && code < CODES;
}
