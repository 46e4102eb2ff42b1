import type { Place } from './place.ts';

/** Limits on the size and cost of one filter. */
export interface Cql2Limits {
  /** Maximum length of a CQL2 text, UTF-16 units; for CQL2-JSON, the total length of all its strings. */
  readonly length: number;
  /** Maximum number of nested operators, and of nested parentheses. */
  readonly depth: number;
  /**
   * Maximum number of nodes. Each operator, property, geometry, interval and list counts as a node; ten texts, numbers, booleans or
   * instants together count as one node.
   */
  readonly nodes: number;
  /** Maximum number of positions in all geometries together. */
  readonly positions: number;
  /**
   * Maximum number of operators that read a whole text or shape of each item: `like`, `casei` and `accenti` (unless
   * applied to a literal), spatial operators, and temporal operators (they parse texts as instants). The cost of a
   * search is about this number times the number of items that the search reads.
   */
  readonly costly: number;
}

export const CQL2_LIMITS: Cql2Limits = { length: 250_000, depth: 64, nodes: 500, positions: 10_000, costly: 100 };

/**
 * Number of literals that count as one node. Literals count less because a database compares a whole list of them in
 * one step, but evaluates every other node for each item.
 */
const LITERALS_PER_NODE = 10;
/**
 * A filter that has more nodes than permitted, but at most this multiple, is read to its end. So the error can state
 * the size of the filter.
 */
const COUNTED = 10;

/** Counts the size of a filter while it is parsed. The thrown errors name the place where a limit is exceeded. */
export class Budget {
  readonly #limits: Cql2Limits;
  #literals = 0;
  #nodes = 0;
  /** Place of the first node beyond the limit. */
  #excess: Place | undefined;
  #positions = 0;
  #length = 0;
  #costly = 0;

  constructor(limits: Partial<Cql2Limits>) {
    this.#limits = { ...CQL2_LIMITS, ...limits };
  }

  /** Counts an operator, a property, a geometry, an interval or a list. */
  node(place: Place): void {
    this.#nodes++;
    this.#checkNodes(place);
  }

  /** Counts a text, a number, a boolean or an instant. */
  literal(place: Place): void {
    this.#literals++;
    this.#checkNodes(place);
  }

  /** Throws if the filter has too many nodes; called after the whole filter was read. */
  end(): void {
    if (this.#excess !== undefined) throw this.#excess.error(this.#tooManyNodes(`${this.#size()} nodes`));
  }

  #size(): number {
    return this.#nodes + Math.ceil(this.#literals / LITERALS_PER_NODE);
  }

  #checkNodes(place: Place): void {
    const { nodes } = this.#limits;
    const size = this.#size();
    if (size > nodes) this.#excess ??= place;
    if (size > nodes * COUNTED) throw this.#excess?.error(this.#tooManyNodes(`more than ${nodes * COUNTED} nodes`));
  }

  #tooManyNodes(found: string): LimitFault {
    return {
      code: 'limit',
      found,
      expected: `${this.#limits.nodes} at most: each operator, property, geometry, interval and list counts as a node, and ${LITERALS_PER_NODE} texts, numbers, booleans or instants count as one`,
      remedy:
        'Compare a property with a list of texts or numbers with the operator `in`, send ids and collections outside of the filter, or send several smaller filters.',
    };
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
        remedy:
          'Compare whole texts with the operator `in`, join several shapes into one shape, or send several smaller filters.',
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

type LimitFault = Readonly<Record<'found' | 'expected' | 'remedy', string>> & { readonly code: 'limit' };

function limitExceeded(what: string, limit: number): LimitFault {
  return {
    code: 'limit',
    found: `more than ${limit} ${what}`,
    expected: `${limit} at most`,
    remedy: 'Send a smaller filter, or several smaller filters.',
  };
}
