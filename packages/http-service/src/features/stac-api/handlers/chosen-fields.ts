import { isObject } from '@headwater/core/values';
import type { FieldChoice, FieldPath } from '../schemas/fields.ts';

type Members = Readonly<Record<string, unknown>>;

/** Without them nobody can tell what he was sent: ids are unique within a Collection only. */
const KIND: readonly FieldPath[] = [['type'], ['stac_version'], ['id'], ['collection']];
const SHAPE: readonly FieldPath[] = [['geometry'], ['bbox'], ['links'], ['assets']];
/** What a STAC Item cannot be read without. */
const USUAL: readonly FieldPath[] = [
  ...KIND,
  ...SHAPE,
  ['properties', 'datetime'],
  ['properties', 'start_datetime'],
  ['properties', 'end_datetime'],
];

/**
 * The members of an Item that were asked for. Nothing named: those that an Item cannot be read without. Only names that are left out:
 * all but those; beside an empty list of wanted ones, what an Item cannot be read without but those. Members of the outermost level alone, or
 * names of both kinds: these, and what tells which Item it is. Members below, such as `properties.title`: these beside what an Item cannot
 * be read without. A name of both kinds is included.
 */
export function chosenFields(item: Members, { include, exclude }: FieldChoice): Members {
  if (include === undefined && exclude.length > 0) return without(item, exclude);
  if (include === undefined || include.length === 0) return without(picked(item, USUAL), exclude);
  const left = exclude.filter((path) => !include.some((wanted) => key(wanted) === key(path)));
  const isNarrow = exclude.length > 0 || include.every(isOutermost);
  const base = (isNarrow ? KIND : USUAL).filter((path) => !left.some((each) => key(each) === key(path)));
  const inside = left.filter((path) => include.some((wanted) => startsWith(path, wanted)));
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

/** The members at these paths, in the order that the document has them. */
function picked(members: Members, wanted: readonly FieldPath[]): Members {
  const entries = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const below = wanted.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (below.length === 0) return [];
    if (below.some((path) => path.length === 0)) return [[name, value]];
    return isObject(value) ? [[name, picked(value, below)]] : [];
  });
  return Object.fromEntries(entries);
}

/** All members but those at these paths. */
function without(members: Members, left: readonly FieldPath[]): Members {
  const entries = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const below = left.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (below.some((path) => path.length === 0)) return [];
    return [[name, below.length > 0 && isObject(value) ? without(value, below) : value]];
  });
  return Object.fromEntries(entries);
}
