import type { ItemProperty, PropertyType } from '../ports/item-search.ts';

/** Pattern of an instant as text, for JavaScript and PostgreSQL. */
export const INSTANT_PATTERN = '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$';

/** Summary of a property's values of one JSON type. */
export interface PropertyKind {
  readonly name: string;
  /** JSON type: `string`, `number` or `boolean`. Other types cannot be compared and are ignored. */
  readonly kind: string;
  /** True if all values are integers. */
  readonly isWhole: boolean;
  /** True if all values match `INSTANT_PATTERN`. */
  readonly isInstant: boolean;
}

/** Properties by name, with the types of their values. */
export function itemProperties(kinds: readonly PropertyKind[]): readonly ItemProperty[] {
  const byName = Map.groupBy(
    kinds.filter(({ kind }) => ['string', 'number', 'boolean'].includes(kind)),
    ({ name }) => name,
  );
  const all = [...byName].map(([name, ofName]): ItemProperty => ({
    name,
    types: [...new Set(ofName.map(typeOf))].sort(),
    isInstant: ofName.every(({ isInstant }) => isInstant),
  }));
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function typeOf({ kind, isWhole }: PropertyKind): PropertyType {
  if (kind === 'number') return isWhole ? 'integer' : 'number';
  return kind === 'boolean' ? 'boolean' : 'string';
}
