import type { Cql2Expression } from '../model/expression.ts';
import { CQL2_LIMITS, type Cql2Limits } from '../model/limits.ts';

/** Reads CQL2-JSON, parsed. Throws `Cql2Error` with a JSON pointer to what cannot be read. */
export function parseCql2Json(value: unknown, limits: Partial<Cql2Limits> = {}): Cql2Expression {
  const { depth } = { ...CQL2_LIMITS, ...limits };
  throw new Error(`CQL2-JSON is not read yet (${typeof value}, depth ${depth})`);
}
