import type { Place } from './place.ts';

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

/** Counts what a filter uses up while it is read, and refuses it at the place where it becomes too much. */
export class Budget {
  readonly #limits: Cql2Limits;
  #nodes = 0;
  #positions = 0;
  #length = 0;
  #costly = 0;

  constructor(limits: Partial<Cql2Limits>) {
    this.#limits = { ...CQL2_LIMITS, ...limits };
  }

  /** An operator, a literal, a property or a list. */
  node(place: Place): void {
    this.#nodes++;
    if (this.#nodes > this.#limits.nodes)
      throw place.error(tooMuch('operators, literals, properties and lists', this.#limits.nodes));
  }

  /** An operator that walks through a whole text or shape of each thing. */
  costly(place: Place): void {
    this.#costly++;
    if (this.#costly > this.#limits.costly)
      throw place.error({
        ...tooMuch('operators of texts, shapes and spans (like, casei, accenti, s_..., t_...)', this.#limits.costly),
        remedy: 'Compare whole texts by in, join shapes to one, or send several filters, one after the other.',
      });
  }

  position(place: Place): void {
    this.#positions++;
    if (this.#positions > this.#limits.positions)
      throw place.error(tooMuch('positions of geometries', this.#limits.positions));
  }

  characters(count: number, place: Place): void {
    this.#length += count;
    if (this.#length > this.#limits.length) throw place.error(tooMuch('characters', this.#limits.length));
  }

  depth(depth: number, place: Place): void {
    if (depth > this.#limits.depth)
      throw place.error(tooMuch('levels of operators and parentheses', this.#limits.depth));
  }
}

function tooMuch(what: string, limit: number): { code: 'limit'; found: string; expected: string; remedy: string } {
  return {
    code: 'limit',
    found: `more than ${limit} ${what}`,
    expected: `${limit} at most`,
    remedy: 'Send a smaller filter, or several, one after the other.',
  };
}
