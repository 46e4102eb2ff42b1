/** Counts of pixels by true class (row) and mapped class (column); class codes 0-255. */
export class ConfusionMatrix {
  readonly #counts = new Map<number, number>();
  #total = 0;

  /** Adds one pixel, or `count` of them. */
  add(truth: number, mapped: number, count = 1): void {
    const key = truth * 256 + mapped;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
    this.#total += count;
  }

  /** Pixels of a true class that were mapped as `mapped`. */
  count(truth: number, mapped: number): number {
    return this.#counts.get(truth * 256 + mapped) ?? 0;
  }

  get total(): number {
    return this.#total;
  }

  /** Codes that occur in the truth or on the map, ascending. */
  get classes(): readonly number[] {
    const found = new Set<number>();
    for (const key of this.#counts.keys()) found.add(key >> 8).add(key & 255);
    return [...found].sort((a, b) => a - b);
  }

  /** Pixels of a true class. */
  trueCount(code: number): number {
    return this.classes.reduce((sum, mapped) => sum + this.count(code, mapped), 0);
  }

  /** Pixels mapped as a class. */
  mappedCount(code: number): number {
    return this.classes.reduce((sum, truth) => sum + this.count(truth, code), 0);
  }

  /** Share of pixels mapped as what they are, 0-1; NaN without pixels. */
  get overallAccuracy(): number {
    return this.classes.reduce((sum, code) => sum + this.count(code, code), 0) / this.#total;
  }

  /** Cohen's kappa (1960, doi:10.1177/001316446002000104): agreement beyond chance; NaN where chance alone agrees wholly. */
  get kappa(): number {
    const chance =
      this.classes.reduce((sum, code) => sum + this.trueCount(code) * this.mappedCount(code), 0) / this.#total ** 2;
    return (this.overallAccuracy - chance) / (1 - chance);
  }

  /** Share of a true class that was found (producer's accuracy), 0-1; NaN where the class does not occur. */
  found(code: number): number {
    return this.count(code, code) / this.trueCount(code);
  }

  /** Share of a mapped class that is right (user's accuracy), 0-1; NaN where the class was not mapped. */
  right(code: number): number {
    return this.count(code, code) / this.mappedCount(code);
  }

  /** A table for people: true classes down, mapped classes across, shares found and right. */
  toString(): string {
    const codes = this.classes;
    const cell = (value: string | number): string => String(value).padStart(8);
    const percent = (share: number): string => cell(Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)}%`);
    const rows = codes.map((truth) => [
      cell(truth),
      ...codes.map((mapped) => cell(this.count(truth, mapped))),
      percent(this.found(truth)),
    ]);
    const head = [cell('true'), ...codes.map((code) => cell(code)), cell('found')];
    const foot = [cell('right'), ...codes.map((code) => percent(this.right(code)))];
    return [head, ...rows, foot].map((line) => line.join('')).join('\n');
  }
}
