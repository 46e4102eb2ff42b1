/** What one filter may use up. */
export interface Cql2Limits {
  /** UTF-16 units of a text; for CQL2-JSON those of all its strings. */
  readonly length: number;
  /** Operators inside of operators; parentheses inside of parentheses. */
  readonly depth: number;
  /** Operators, literals and properties. */
  readonly nodes: number;
  /** Positions of all geometries together. */
  readonly positions: number;
}

export const CQL2_LIMITS: Cql2Limits = { length: 250_000, depth: 64, nodes: 5_000, positions: 10_000 };
