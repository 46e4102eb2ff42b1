import type { ImportReport, RefusedRow, RepairedRow } from '@headwater/core/ports';

const MOST_LISTED = 1000;

/** Members of a report about refused and repaired rows. */
export type NotesReport = Required<Pick<ImportReport, 'refused' | 'refusedCount' | 'repaired' | 'repairedCount'>>;

/** Collects refused and repaired rows. The first `MOST_LISTED` rows of each kind are listed; all are counted. */
export class ImportNotes {
  readonly #refused: RefusedRow[];
  readonly #repaired: RepairedRow[];
  #refusedCount: number;
  #repairedCount: number;

  /** `before`: earlier notes, such as the notes of a child process. */
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

  get report(): NotesReport {
    return {
      refusedCount: this.#refusedCount,
      refused: this.#refused,
      repairedCount: this.#repairedCount,
      repaired: this.#repaired,
    };
  }
}
