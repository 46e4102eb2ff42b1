import type { ImportReport, RefusedRow, RepairedRow } from '@headwater/core/ports';

/** Rows that a report lists at most; the others are counted. */
const MOST_LISTED = 1000;

/** Members of a report that tell what was refused and repaired. */
export type NotesReport = Required<Pick<ImportReport, 'refused' | 'refusedCount' | 'repaired' | 'repairedCount'>>;

/** What an importer collects while it reads: refused and repaired rows, listed up to a bound and counted beyond it. */
export class ImportNotes {
  readonly #refused: RefusedRow[];
  readonly #repaired: RepairedRow[];
  #refusedCount: number;
  #repairedCount: number;

  /** Goes on from what was collected before, in another thread for example. */
  constructor(before: NotesReport = { refused: [], refusedCount: 0, repaired: [], repairedCount: 0 }) {
    [this.#refused, this.#refusedCount] = [[...before.refused], before.refusedCount];
    [this.#repaired, this.#repairedCount] = [[...before.repaired], before.repairedCount];
  }

  refuse(row: RefusedRow): void {
    this.#refusedCount += 1;
    if (this.#refused.length < MOST_LISTED) this.#refused.push(row);
  }

  repair(row: RepairedRow): void {
    this.#repairedCount += 1;
    if (this.#repaired.length < MOST_LISTED) this.#repaired.push(row);
  }

  /** The members of a report that tell them. */
  get report(): NotesReport {
    return {
      refusedCount: this.#refusedCount,
      refused: this.#refused,
      repairedCount: this.#repairedCount,
      repaired: this.#repaired,
    };
  }
}
