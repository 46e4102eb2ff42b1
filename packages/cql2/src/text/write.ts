import type { Cql2Expression } from '../model/expression.ts';

/** Writes CQL2-Text that reads back as the same tree. */
export function writeCql2Text(expression: Cql2Expression): string {
  throw new Error(`CQL2-Text is not written yet (${typeof expression})`);
}
