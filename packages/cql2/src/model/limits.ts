/** What one filter may use up. */
export interface Cql2Limits {
  /** UTF-16 units of a text; for CQL2-JSON those of all its strings. */
  readonly length: number;
  /** Operators inside of operators; parentheses inside of parentheses. */
  readonly depth: number;
  /** Operators, literals, properties and lists. */
  readonly nodes: number;
  /** Positions of all geometries together. */
  readonly positions: number;
  /**
   * Operators that walk through a whole text or shape of each thing, however little of a filter they are: `like`, `casei` and `accenti` (of
   * a literal they are free), the spatial ones, and the temporal ones, which read texts as instants. What a search costs is about this
   * number times what it looks at.
   */
  readonly costly: number;
}

export const CQL2_LIMITS: Cql2Limits = { length: 250_000, depth: 64, nodes: 5_000, positions: 10_000, costly: 100 };
