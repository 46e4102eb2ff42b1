import type { ImportReport, RefusedRow, RepairedRow } from '../ports/imports.ts';

/** Rows that a report lists at most; the others are counted. */
const MOST_LISTED = 1000;

/** What an importer collects while it reads: refused and repaired rows, listed up to a bound and counted beyond it. */
export class ImportNotes {
  readonly #refused: RefusedRow[] = [];
  readonly #repaired: RepairedRow[] = [];
  #refusedCount = 0;
  #repairedCount = 0;

  refuse(row: RefusedRow): void {
    this.#refusedCount += 1;
    if (this.#refused.length < MOST_LISTED) this.#refused.push(row);
  }

  repair(row: RepairedRow): void {
    this.#repairedCount += 1;
    if (this.#repaired.length < MOST_LISTED) this.#repaired.push(row);
  }

  /** The members of a report that tell them. */
  get report(): Required<Pick<ImportReport, 'refused' | 'refusedCount' | 'repaired' | 'repairedCount'>> {
    return {
      refusedCount: this.#refusedCount,
      refused: this.#refused,
      repairedCount: this.#repairedCount,
      repaired: this.#repaired,
    };
  }
}
