import { StacError } from '../errors.ts';
import { isUtcText } from '../instant.ts';
import { isList, isObject, isText } from '../json.ts';
import { brief } from '../validate/report.ts';

interface Kind {
  readonly fits: (value: unknown) => boolean;
  readonly wanted: string;
}

const OBJECT: Kind = { fits: isObject, wanted: 'give an object' };
const LIST: Kind = { fits: (value) => isList(value) && value.length > 0, wanted: 'give a list of one or more' };
const INSTANT: Kind = { fits: isUtcText, wanted: 'give a UTC time, as instant() makes it' };
const TEXT: Kind = { fits: isText, wanted: 'give a text' };

/** Members by their paths from the input of a builder. */
type Members = Readonly<Record<string, Kind>>;

const OF_EVERY_ITEM: Members = {
  geometry: OBJECT,
  start: INSTANT,
  end: INSTANT,
  published: INSTANT,
  keywords: LIST,
  processing: OBJECT,
  'processing.software': OBJECT,
  root: OBJECT,
  collection: OBJECT,
  'collection.id': TEXT,
  assets: OBJECT,
  'assets.data': OBJECT,
};
const OF_A_RASTER: Members = { grid: OBJECT, 'grid.shape': LIST, 'grid.transform': LIST, content: OBJECT };
const OF_A_TABLE: Members = { columns: LIST };

/** Members that an Item needs by the kind of its layer. */
export const NEEDED = {
  vector: { ...OF_EVERY_ITEM, ...OF_A_TABLE },
  raster: { ...OF_EVERY_ITEM, ...OF_A_RASTER },
  tabularRaster: { ...OF_EVERY_ITEM, ...OF_A_RASTER, ...OF_A_TABLE, 'assets.table': OBJECT },
} as const satisfies Readonly<Record<string, Members>>;

/**
 * Those who call from JavaScript have no types: what is missing is told by its name, and not as a `TypeError` of what reads it.
 * Throws `StacError` for the first member that is absent or of another kind.
 */
export function checkGiven(input: object, members: Members): void {
  for (const [path, { fits, wanted }] of Object.entries(members)) {
    const value = path.split('.').reduce(memberOf, input);
    if (!fits(value)) throw new StacError(`${path}: ${told(value)} is given; ${wanted}`);
  }
}

function memberOf(at: unknown, name: string): unknown {
  return isObject(at) ? at[name] : undefined;
}

function told(value: unknown): string {
  if (value === undefined) return 'nothing';
  return value instanceof Date ? 'a Date' : brief(value);
}
