import { isObject } from '@headwater/core/values';
import type { FieldChoice, FieldPath } from '../schemas/fields.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members that identify an Item. `collection` belongs to them, because ids are unique only within a Collection. */
const KIND: readonly FieldPath[] = [['type'], ['stac_version'], ['id'], ['collection']];
const SHAPE: readonly FieldPath[] = [['geometry'], ['bbox'], ['links'], ['assets']];
/** Members that every STAC Item needs. */
const REQUIRED: readonly FieldPath[] = [
  ...KIND,
  ...SHAPE,
  ['properties', 'datetime'],
  ['properties', 'start_datetime'],
  ['properties', 'end_datetime'],
];

/**
 * Selects the requested members of an Item. A request may have a list of included and a list of excluded names. The result has:
 * - without names: the members that every Item needs;
 * - with excluded names and no list of included names: all members except the excluded ones;
 * - with excluded names and an empty list of included names: the members that every Item needs, except the excluded ones;
 * - with included and excluded names, or with included names that are all of the outermost level: the included members, and the members
 *   that identify the Item;
 * - with deeper included names, such as `properties.title`: the included members, and the members that every Item needs.
 * A name in both lists is included.
 */
export function selectFields(item: Members, { include, exclude }: FieldChoice): Members {
  if (include === undefined && exclude.length > 0) return without(item, exclude);
  if (include === undefined || include.length === 0) return without(picked(item, REQUIRED), exclude);
  const excluded = exclude.filter((path) => !include.some((wanted) => key(wanted) === key(path)));
  const isNarrow = exclude.length > 0 || include.every(isOutermost);
  const base = (isNarrow ? KIND : REQUIRED).filter((path) => !excluded.some((each) => key(each) === key(path)));
  const inside = excluded.filter((path) => include.some((wanted) => startsWith(path, wanted)));
  return without(picked(item, [...base, ...include]), inside);
}

const OUTERMOST = new Set([...KIND, ...SHAPE].map(key));

function isOutermost(path: FieldPath): boolean {
  return OUTERMOST.has(key(path));
}

function key(path: FieldPath): string {
  return path.join('.');
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.length < path.length && start.every((name, index) => path[index] === name);
}

/** Members at these paths, in the order of the document. */
function picked(members: Members, wanted: readonly FieldPath[]): Members {
  const entries = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const below = wanted.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (below.length === 0) return [];
    if (below.some((path) => path.length === 0)) return [[name, value]];
    return isObject(value) ? [[name, picked(value, below)]] : [];
  });
  return Object.fromEntries(entries);
}

/** All members except those at these paths. */
function without(members: Members, excluded: readonly FieldPath[]): Members {
  const entries = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const below = excluded.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (below.some((path) => path.length === 0)) return [];
    return [[name, below.length > 0 && isObject(value) ? without(value, below) : value]];
  });
  return Object.fromEntries(entries);
}
