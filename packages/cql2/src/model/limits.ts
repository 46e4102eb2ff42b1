/** What one filter may use up. */
export interface Cql2Limits {
  /** UTF-16 units of a text; for CQL2-JSON those of all its strings. */
  readonly length: number;
  /** Operators inside of operators, and parentheses. */
  readonly depth: number;
  /** Operators, literals and properties. */
  readonly nodes: number;
  /** Positions of all geometries together. */
  readonly positions: number;
}

export const CQL2_LIMITS: Cql2Limits = { length: 1_000_000, depth: 64, nodes: 2_000, positions: 20_000 };
