import { StacError } from '../errors.ts';
import { isUtcText } from '../instant.ts';
import { isList, isObject, isText } from '../json.ts';
import { brief } from '../validate/report.ts';

interface Kind {
  readonly fits: (value: unknown) => boolean;
  readonly wanted: string;
}

const OBJECT: Kind = { fits: isObject, wanted: 'give an object' };
const ANY_LIST: Kind = { fits: isList, wanted: 'give a list' };
const LIST: Kind = { fits: (value) => isList(value) && value.length > 0, wanted: 'give a list of one or more' };
const INSTANT: Kind = { fits: isUtcText, wanted: 'give a UTC time, as instant() makes it' };
const NUMBER: Kind = { fits: (value) => typeof value === 'number', wanted: 'give a number' };
const TEXT: Kind = { fits: isText, wanted: 'give a text' };
/** Classes of a data type or bands, one of the two. */
const CONTENT: Kind = {
  fits: (value) =>
    isObject(value) &&
    (value['bands'] === undefined
      ? LIST.fits(value['classes']) && TEXT.fits(value['dataType'])
      : value['classes'] === undefined),
  wanted: 'give classes and their dataType, or bands',
};

function optional({ fits, wanted }: Kind): Kind {
  return { fits: (value) => value === undefined || fits(value), wanted: `${wanted}, or leave it out` };
}

/** Members by their paths from the input of a builder; `*` is each element of a list and each member of an object. */
type Members = Readonly<Record<string, Kind>>;

/** What a raster's values must be, wherever they stand. */
const contentAt = (path: string): Members => ({
  [`${path}.classes.*`]: OBJECT,
  [`${path}.classes.*.color`]: optional(TEXT),
  [`${path}.nodata`]: optional(NUMBER),
  [`${path}.bands`]: optional(LIST),
  [`${path}.bands.*`]: OBJECT,
  [`${path}.bands.*.dataType`]: TEXT,
  [`${path}.bands.*.nodata`]: optional(NUMBER),
  [`${path}.bands.*.statistics`]: optional(OBJECT),
});
const linksAt = (path: string): Members => ({ [path]: optional(ANY_LIST), [`${path}.*`]: OBJECT });

const OF_EVERY_ITEM: Members = {
  geometry: OBJECT,
  start: INSTANT,
  end: INSTANT,
  published: INSTANT,
  keywords: LIST,
  providers: optional(ANY_LIST),
  processing: OBJECT,
  'processing.software': OBJECT,
  root: OBJECT,
  collection: OBJECT,
  'collection.id': TEXT,
  ...linksAt('derivedFrom'),
  ...linksAt('via'),
  extra: optional(OBJECT),
  assets: OBJECT,
  'assets.data': OBJECT,
  'assets.*': optional(OBJECT),
  'assets.*.file': optional(OBJECT),
  'assets.thumbnail.legend': optional(LIST),
  'assets.thumbnail.legend.*': OBJECT,
  'assets.others.*': OBJECT,
  'assets.others.*.roles': LIST,
  'assets.others.*.file': optional(OBJECT),
  'assets.others.*.content': optional(CONTENT),
  ...contentAt('assets.others.*.content'),
};
const OF_A_RASTER: Members = {
  grid: OBJECT,
  'grid.shape': LIST,
  'grid.transform': LIST,
  content: CONTENT,
  ...contentAt('content'),
};
const OF_A_TABLE: Members = { columns: LIST, 'columns.*': OBJECT };
const OF_EVERY_NODE: Members = { ...linksAt('children'), ...linksAt('items'), ...linksAt('links') };

/** A member, its path taken apart once. */
interface Rule {
  readonly names: readonly string[];
  readonly kind: Kind;
}

const rulesOf = (members: Members): readonly Rule[] =>
  Object.entries(members).map(([path, kind]) => ({ names: path.split('.'), kind }));

/** What an input must have, by what is built of it. */
export const NEEDED = {
  vector: rulesOf({ ...OF_EVERY_ITEM, ...OF_A_TABLE }),
  raster: rulesOf({ ...OF_EVERY_ITEM, ...OF_A_RASTER }),
  tabularRaster: rulesOf({ ...OF_EVERY_ITEM, ...OF_A_RASTER, ...OF_A_TABLE, 'assets.table': OBJECT }),
  catalog: rulesOf({
    ...OF_EVERY_NODE,
    root: optional(OBJECT),
    parent: optional(OBJECT),
    conformsTo: optional(ANY_LIST),
    'conformsTo.*': TEXT,
  }),
  collection: rulesOf({
    ...OF_EVERY_NODE,
    root: OBJECT,
    parent: OBJECT,
    keywords: ANY_LIST,
    providers: ANY_LIST,
    'providers.*': OBJECT,
    extent: OBJECT,
  }),
} as const;

/**
 * Those who call from JavaScript have no types: what is missing is told by its name, and not as a `TypeError` of what reads it.
 * Throws `StacError` for the first member that is absent or of another kind.
 */
export function checkGiven(input: unknown, rules: readonly Rule[]): void {
  if (!isObject(input)) throw new StacError(`input: ${told(input)} is given; ${OBJECT.wanted}`);
  for (const rule of rules) checkMember(input, rule, []);
}

/** Checks what a rule asks for below the path that was walked. */
function checkMember(value: unknown, rule: Rule, walked: readonly string[]): void {
  const name = rule.names[walked.length];
  if (name === undefined) {
    if (!rule.kind.fits(value))
      throw new StacError(`${walked.join('.')}: ${told(value)} is given; ${rule.kind.wanted}`);
  } else if (name !== '*') checkMember(isObject(value) ? value[name] : undefined, rule, [...walked, name]);
  else for (const [key, each] of membersOf(value)) checkMember(each, rule, [...walked, key]);
}

/** Elements of a list, holes too, or members of an object. */
function membersOf(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  if (isList(value)) return [...value.entries()].map(([index, each]) => [String(index), each]);
  return isObject(value) ? Object.entries(value) : [];
}

function told(value: unknown): string {
  if (value === undefined) return 'nothing';
  return value instanceof Date ? 'a Date' : brief(value);
}
