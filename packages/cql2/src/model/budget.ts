import type { Place } from './place.ts';

/** Limits on the size and cost of one filter. */
export interface Cql2Limits {
  /** Maximum length of a CQL2 text, or of all texts and property names in CQL2-JSON together, UTF-16 units. */
  readonly length: number;
  /** Maximum number of nested operators, and of nested parentheses. */
  readonly depth: number;
  /**
   * Maximum number of nodes: operators, properties, geometries, intervals and lists. Ten literals count as one node.
   */
  readonly nodes: number;
  /** Maximum number of positions in all geometries together. */
  readonly positions: number;
  /** Maximum number of operators on texts, shapes and instants (`COSTLY_OPERATORS`), which take long for each item. */
  readonly costly: number;
}

export const CQL2_LIMITS: Cql2Limits = { length: 250_000, depth: 64, nodes: 500, positions: 10_000, costly: 100 };

/** Number of literals that count as one node, because a database compares a list of literals in one step. */
const LITERALS_PER_NODE = 10;
/** A filter with too many nodes is read up to this multiple of the limit, so that the error can state their number. */
const COUNTED = 10;

/** Counts the size of a filter while it is parsed. Errors name the place where a limit is exceeded. */
export class Budget {
  readonly #limits: Cql2Limits;
  #literals = 0;
  #nodes = 0;
  #excess: Place | undefined;
  #positions = 0;
  #length = 0;
  #costly = 0;

  constructor(limits: Partial<Cql2Limits>) {
    this.#limits = { ...CQL2_LIMITS, ...limits };
  }

  node(place: Place): void {
    this.#nodes++;
    this.#checkNodes(place);
  }

  literal(place: Place): void {
    this.#literals++;
    this.#checkNodes(place);
  }

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
