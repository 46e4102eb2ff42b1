import { TooMuch } from './bad-place-file.ts';

/** Positions that a file, or one feature of it, may still use up. */
export class PositionBudget {
  readonly #limit: number;
  readonly #of: 'file' | 'feature';
  #left: number;

  constructor(limit: number, of: 'file' | 'feature') {
    [this.#limit, this.#of, this.#left] = [limit, of, limit];
  }

  /** Throws `TooMuch` where these are more than are left. */
  spend(positions: number): void {
    this.#left -= positions;
    if (this.#left >= 0) return;
    const remedy = this.#of === 'file' ? 'simplify it or split it' : 'simplify it';
    throw new TooMuch(`the ${this.#of} has more than ${this.#limit.toLocaleString('en')} positions; ${remedy}`);
  }
}
