import type { ItemProperty, PropertyType } from '../ports/item-search.ts';

/** A text that tells an instant; read by JavaScript and by PostgreSQL alike. */
export const INSTANT_PATTERN = '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$';

/** What is told of values that a property has, all of one kind of JSON. */
export interface PropertyKind {
  readonly name: string;
  /** `string`, `number`, `boolean`; others cannot be compared. */
  readonly kind: string;
  /** Whether all of them are whole numbers; whether all of them fit `INSTANT_PATTERN`. */
  readonly isWhole: boolean;
  readonly isInstant: boolean;
}

/** Properties by name, of the kinds of values that each has. */
export function itemProperties(kinds: readonly PropertyKind[]): readonly ItemProperty[] {
  const byName = Map.groupBy(
    kinds.filter(({ kind }) => ['string', 'number', 'boolean'].includes(kind)),
    ({ name }) => name,
  );
  const all = [...byName].map(([name, told]): ItemProperty => ({
    name,
    types: [...new Set(told.map(typeOf))].sort(),
    isInstant: told.every(({ isInstant }) => isInstant),
  }));
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function typeOf({ kind, isWhole }: PropertyKind): PropertyType {
  if (kind === 'number') return isWhole ? 'integer' : 'number';
  return kind === 'boolean' ? 'boolean' : 'string';
}
