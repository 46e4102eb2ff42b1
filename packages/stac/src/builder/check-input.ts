import { StacError } from '../errors.ts';
import { isUtcText } from '../instant.ts';
import { isList, isObject, isText } from '../json.ts';
import { brief } from '../brief.ts';

interface Kind {
  readonly fits: (value: unknown) => boolean;
  readonly remedy: string;
}

const OBJECT: Kind = { fits: isObject, remedy: 'give an object' };
const ANY_LIST: Kind = { fits: isList, remedy: 'give a list' };
const LIST: Kind = {
  fits: (value) => isList(value) && value.length > 0,
  remedy: 'give a list with at least one element',
};
const INSTANT: Kind = { fits: isUtcText, remedy: 'give a UTC time, as instant() makes it' };
const NUMBER: Kind = { fits: (value) => typeof value === 'number', remedy: 'give a number' };
const TEXT: Kind = { fits: isText, remedy: 'give a text' };
/** Content of a raster: classes with a data type, or bands. */
const CONTENT: Kind = {
  fits: (value) =>
    isObject(value) &&
    (value['bands'] === undefined
      ? LIST.fits(value['classes']) && TEXT.fits(value['dataType'])
      : value['classes'] === undefined),
  remedy: 'give classes and their dataType, or bands',
};

function optional({ fits, remedy }: Kind): Kind {
  return { fits: (value) => value === undefined || fits(value), remedy: `${remedy}, or leave it out` };
}

type Members = Readonly<Record<string, Kind>>;

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

interface Node {
  kind?: Kind;
  readonly members: Map<string, Node>;
}

function treeOf(members: Members): Node {
  const root: Node = { kind: OBJECT, members: new Map() };
  for (const [path, kind] of Object.entries(members)) {
    let node = root;
    for (const name of path.split('.')) {
      const next: Node = node.members.get(name) ?? { members: new Map() };
      node.members.set(name, next);
      node = next;
    }
    node.kind = kind;
  }
  return root;
}

/** Required and optional members of each builder's input. */
export const INPUT_MEMBERS = {
  vector: treeOf({ ...OF_EVERY_ITEM, ...OF_A_TABLE }),
  raster: treeOf({ ...OF_EVERY_ITEM, ...OF_A_RASTER }),
  tabularRaster: treeOf({ ...OF_EVERY_ITEM, ...OF_A_RASTER, ...OF_A_TABLE, 'assets.table': OBJECT }),
  catalog: treeOf({
    ...OF_EVERY_NODE,
    root: optional(OBJECT),
    parent: optional(OBJECT),
    conformsTo: optional(ANY_LIST),
    'conformsTo.*': TEXT,
  }),
  collection: treeOf({
    ...OF_EVERY_NODE,
    root: OBJECT,
    parent: OBJECT,
    keywords: ANY_LIST,
    providers: optional(ANY_LIST),
    'providers.*': OBJECT,
    extent: OBJECT,
  }),
} as const;

/** Checks the input of callers without type checks. Throws `StacError` for the first missing or wrong member. */
export function checkInput(input: unknown, needed: Node): void {
  const found = firstFault(input, needed);
  if (found === undefined) return;
  const { path, value, remedy } = found;
  throw new StacError(`${path.length === 0 ? 'input' : path.join('.')}: ${described(value)}; ${remedy}`);
}

interface InputFault {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly remedy: string;
}

function firstFault(value: unknown, { kind, members }: Node): InputFault | undefined {
  if (kind !== undefined && !kind.fits(value)) return { path: [], value, remedy: kind.remedy };
  for (const [name, node] of members) {
    const values: Iterable<readonly [string, unknown]> =
      name === '*' ? membersOf(value) : [[name, isObject(value) ? value[name] : undefined]];
    for (const [key, each] of values) {
      const found = firstFault(each, node);
      if (found !== undefined) return { ...found, path: [key, ...found.path] };
    }
  }
  return undefined;
}

function membersOf(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  if (isList(value)) return [...value.entries()].map(([index, each]) => [String(index), each]);
  return isObject(value) ? Object.entries(value) : [];
}

function described(value: unknown): string {
  if (value === undefined) return 'missing';
  return value instanceof Date ? 'got a Date' : `got ${brief(value)}`;
}
