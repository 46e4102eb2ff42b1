import type { Checks } from '../checks.ts';
import type { BenchOptions } from '../options.ts';
import type { BenchResult } from '../table.ts';

/** What a group of rows works with. */
export interface RowContext {
  readonly options: BenchOptions;
  readonly checks: Checks;
}

/** Rows that share inputs and peers. */
export interface RowGroup {
  /** Names of the rows that carry a figure; `--only` chooses by them. */
  readonly names: readonly string[];
  readonly run: (context: RowContext) => Promise<readonly BenchResult[]>;
}

/** Threads of both sides in every row that computes. */
export const THREADS = 2;
