import type { ImportKind, ImportReport, RefusedRow, RepairedRow } from '../importer.ts';

/** How many refused rows, and how many repaired ones, a report lists; the others are counted. */
export const MOST_LISTED = 1000;

/** What an import has found wrong so far: the first of it row by row, all of it by number. */
export class Findings {
  readonly #refused: RefusedRow[] = [];
  readonly #repaired: RepairedRow[] = [];
  #refusedCount = 0;
  #repairedCount = 0;

  /** Notes what is left out. */
  refuse(row: RefusedRow): void {
    this.#refusedCount += 1;
    if (this.#refused.length < MOST_LISTED) this.#refused.push(row);
  }

  /** Notes what is stored otherwise than it stands in the file. */
  repair(row: RepairedRow): void {
    this.#repairedCount += 1;
    if (this.#repaired.length < MOST_LISTED) this.#repaired.push(row);
  }

  /** The report of an import that stored this much. */
  report(
    file: { readonly kind: ImportKind; readonly fileName: string },
    { stored, unchanged }: Pick<ImportReport, 'stored' | 'unchanged'>,
  ): ImportReport {
    const unlisted = this.#repairedCount - this.#repaired.length;
    const rest = { source: file.fileName, row: 0, repair: `${unlisted} more rows were repaired that are not listed.` };
    return {
      ...file,
      stored,
      unchanged,
      refusedCount: this.#refusedCount,
      refused: this.#refused,
      repaired: unlisted === 0 ? this.#repaired : [...this.#repaired, rest],
    };
  }
}
