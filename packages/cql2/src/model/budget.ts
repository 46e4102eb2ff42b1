import type { Place } from './place.ts';

/** Limits on the size and cost of one filter. */
export interface Cql2Limits {
  /** UTF-16 units of a text; for CQL2-JSON the total of all its strings. */
  readonly length: number;
  /** Nested operators, and nested parentheses. */
  readonly depth: number;
  /** Operators, literals, properties and lists. */
  readonly nodes: number;
  /** Positions of all geometries together. */
  readonly positions: number;
  /**
   * Operators that read a whole text or shape of each item: `like`, `casei` and `accenti` (free on a literal), the spatial
   * ones, and the temporal ones, which parse texts as instants. The cost of a search is about this number times the number
   * of items it reads.
   */
  readonly costly: number;
}

export const CQL2_LIMITS: Cql2Limits = { length: 250_000, depth: 64, nodes: 5_000, positions: 10_000, costly: 100 };

/** Counts the size of a filter while it is parsed, and throws at the place where a limit is exceeded. */
export class Budget {
  readonly #limits: Cql2Limits;
  #nodes = 0;
  #positions = 0;
  #length = 0;
  #costly = 0;

  constructor(limits: Partial<Cql2Limits>) {
    this.#limits = { ...CQL2_LIMITS, ...limits };
  }

  /** Counts an operator, a literal, a property or a list. */
  node(place: Place): void {
    this.#nodes++;
    if (this.#nodes > this.#limits.nodes)
      throw place.error(limitExceeded('operators, literals, properties and lists', this.#limits.nodes));
  }

  /** Counts an operator that reads a whole text or shape of each item. */
  costly(place: Place): void {
    this.#costly++;
    if (this.#costly > this.#limits.costly)
      throw place.error({
        ...limitExceeded(
          'text, spatial and temporal operators (like, casei, accenti, s_..., t_...)',
          this.#limits.costly,
        ),
        remedy: 'Compare whole texts with in, join shapes into one, or send several smaller filters.',
      });
  }

  position(place: Place): void {
    this.#positions++;
    if (this.#positions > this.#limits.positions)
      throw place.error(limitExceeded('positions of geometries', this.#limits.positions));
  }

  characters(count: number, place: Place): void {
    this.#length += count;
    if (this.#length > this.#limits.length) throw place.error(limitExceeded('characters', this.#limits.length));
  }

  depth(depth: number, place: Place): void {
    if (depth > this.#limits.depth)
      throw place.error(limitExceeded('levels of operators and parentheses', this.#limits.depth));
  }
}

function limitExceeded(
  what: string,
  limit: number,
): { code: 'limit'; found: string; expected: string; remedy: string } {
  return {
    code: 'limit',
    found: `more than ${limit} ${what}`,
    expected: `${limit} at most`,
    remedy: 'Send a smaller filter, or several smaller ones.',
  };
}
