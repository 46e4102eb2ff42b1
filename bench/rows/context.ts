import type { Checks } from '../checks.ts';
import type { BenchOptions } from '../options.ts';
import type { BenchResult } from '../table.ts';

/** Options and checks that a group of rows uses. */
export interface RowContext {
  readonly options: BenchOptions;
  readonly checks: Checks;
}

/** Rows of the result table that share inputs and peers. */
export interface RowGroup {
  /** Names of the rows; `--only` selects rows by name. */
  readonly names: readonly string[];
  readonly run: (context: RowContext) => Promise<readonly BenchResult[]>;
}

/** Number of threads of each side. */
export const THREADS = 2;
