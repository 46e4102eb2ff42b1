import { parseArgs } from 'node:util';

/** Options of one call of `npm run bench`. */
export interface BenchOptions {
  /** Parts of row names. Only rows whose name contains one of these parts are run; empty for all rows. */
  readonly only: readonly string[];
  readonly rounds: number;
  /** File for the results as JSON. */
  readonly json: string | undefined;
  /** If true, the bench exits with 1 when a result misses the limit of its row, a check fails or a peer is missing. */
  readonly strict: boolean;
  /** If true, runs small inputs and one round, only to test the bench. */
  readonly quick: boolean;
}

const DEFAULT_ROUNDS = 5;

/** Parses the command line; throws for an unknown flag or an invalid count. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      json: { type: 'string' },
      strict: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  });
  const { only = '', json, strict, quick } = values;
  const rounds = Number(values.rounds ?? (quick ? 1 : DEFAULT_ROUNDS));
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds ${values.rounds}: give a whole number above 0`);
  return { only: only.split(',').filter((part) => part !== ''), rounds, json, strict, quick };
}

/** Returns true if `--only` is empty or contains a part of the row's name. */
export function isWanted(name: string, { only }: Pick<BenchOptions, 'only'>): boolean {
  return only.length === 0 || only.some((part) => name.includes(part));
}
