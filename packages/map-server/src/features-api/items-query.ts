import type { MapColumn, MapLayer } from '@headwater/core/ports';
import {
  type Cql2Expression,
  type Cql2Geometry,
  geometriesIntersect,
  parseCql2Json,
  parseCql2Text,
  propertiesOf,
} from '@headwater/cql2';
import { fromMercator } from '../encodings/coordinates.ts';
import { cellText, type FeatureSrs, valueOf } from '../encodings/request.ts';
import {
  columnNamed,
  type FeatureFilter,
  type Filtering,
  matching,
  matchingOf,
  refusal,
} from '../features/feature-filter.ts';
import type { FeatureBox, FeatureTable, MapFeature } from '../features/feature-table.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import type { Turn } from '../protocol/turns.ts';
import { CRS3857, CRS84 } from './collections.ts';

/** Parameters of a request, with names in lower case. */
export type ItemsParameters = Readonly<Record<string, string>>;

/** A page of features. */
export interface ItemsPage {
  readonly features: readonly MapFeature[];
  /** Number of matching features on all pages. */
  readonly matched: number;
  readonly offset: number;
  readonly limit: number;
}

type Test = (feature: MapFeature) => boolean;

const DEFAULT_LIMIT = 10;
const MOST = 10_000;
/** Limits of a filter: levels of nesting, characters, and operators on texts, shapes and instants (`costly`). */
const FILTER_LIMITS = { depth: 20, length: 50_000, costly: 10 };

const wrong = (name: string, problem: string): Error => ogcError('InvalidParameterValue', name, `${name}: ${problem}`);
const shown = (text: string): string => `"${text.slice(0, 100)}"`;

/** Parameters of the standard. Other parameters are names of columns. */
const KNOWN: ReadonlySet<string> = new Set(
  'f limit offset bbox bbox-crs crs datetime properties filter filter-lang filter-crs'.split(' '),
);

/** Selects a page of the matching features. Throws for a wrong or unknown parameter. */
export async function itemsPage(
  { table, layer: { interval }, turn }: { readonly table: FeatureTable; readonly layer: MapLayer; readonly turn: Turn },
  query: ItemsParameters,
): Promise<ItemsPage> {
  const limit = Math.min(MOST, whole(query, 'limit', 1) ?? DEFAULT_LIMIT);
  const offset = whole(query, 'offset', 0) ?? 0;
  const tests = equalityTests(table, query);
  const candidates = await candidatesOf(table, query, { filter: filterOf(table, query), parameter: 'filter', turn });
  const found = isInTime(query['datetime'], interval)
    ? candidates.filter((feature) => tests.every((test) => test(feature)))
    : [];
  return { features: found.slice(offset, offset + limit), matched: found.length, offset, limit };
}

function whole(query: ItemsParameters, name: string, least: number): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text) || Number(text) < least)
    throw wrong(name, `${shown(text)} is not a whole number of ${least} or more, with at most 15 digits`);
  return Number(text);
}

/** Coordinate system of a parameter. Default: CRS84. */
export function srsOf(query: ItemsParameters, name: 'crs' | 'bbox-crs' | 'filter-crs'): FeatureSrs {
  const value = query[name] ?? CRS84;
  if (value === CRS84) return 'CRS:84';
  if (value === CRS3857 && name !== 'filter-crs') return 'EPSG:3857';
  throw wrong(name, `${shown(value)} is not offered; send ${CRS84}${name === 'filter-crs' ? '' : ` or ${CRS3857}`}`);
}

/** Columns of the parameter `properties`. Default: all. */
export function chosenColumns({ columns }: FeatureTable, { properties }: ItemsParameters): readonly MapColumn[] {
  if (properties === undefined) return columns;
  return properties.split(',').map((name) => {
    const column = columns.find((each) => each.name === name);
    if (column === undefined)
      throw wrong('properties', `${shown(name)} is not a column; see the queryables of the layer`);
    return column;
  });
}

/**
 * Features that touch `bbox` and match the filter. The spatial index is used for `bbox`; without `bbox`, for the boxes
 * of the filter.
 */
async function candidatesOf(
  table: FeatureTable,
  query: ItemsParameters,
  filtering: Filtering,
): Promise<readonly MapFeature[]> {
  const srs = srsOf(query, 'bbox-crs');
  const { bbox } = query;
  if (bbox === undefined) return await matching(table, filtering);
  return await matchingOf(featuresInBox(table, readBox(bbox, srs)), filtering);
}

function featuresInBox(table: FeatureTable, box: FeatureBox): readonly MapFeature[] {
  const [west, south, east, north] = box;
  const parts: readonly FeatureBox[] =
    west <= east
      ? [box]
      : [
          [west, south, 180, north],
          [-180, south, east, north],
        ];
  const found = new Set(parts.flatMap((part) => table.inBox(part)));
  const isInside = ({ box: inner }: MapFeature): boolean =>
    inner !== null &&
    parts.some((outer) => inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]);
  return [...found]
    .toSorted((a, b) => a - b)
    .map((at) => table.features[at]!)
    .filter(
      (feature) =>
        isInside(feature) || parts.some((bbox) => geometriesIntersect(feature.geometry as Cql2Geometry, { bbox })),
    );
}

function readBox(text: string, srs: FeatureSrs): FeatureBox {
  const numbers = text.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  const [a, b, c, d, e, g] = numbers;
  const [west = 0, south = 0, east = 0, north = 0] = numbers.length === 6 ? [a, b, d, e] : [a, b, c, d];
  if (![4, 6].includes(numbers.length) || !numbers.every(Number.isFinite) || (g !== undefined && (c ?? 0) > g))
    throw wrong('bbox', `${shown(text)} is not a box; send west,south,east,north`);
  const box: FeatureBox =
    srs === 'EPSG:3857' ? [...fromMercator(west, south), ...fromMercator(east, north)] : [west, south, east, north];
  if (south > north) throw wrong('bbox', 'the south side is north of the north side; send west,south,east,north');
  if (Math.abs(box[0]) > 180 || Math.abs(box[2]) > 180 || Math.abs(box[1]) > 90 || Math.abs(box[3]) > 90)
    throw wrong('bbox', 'the box is outside of the Earth; send longitudes -180 to 180 and latitudes -90 to 90');
  return box;
}

/** One test per parameter that names a column. Upper and lower case of the name are not distinguished. */
function equalityTests({ columns }: FeatureTable, query: ItemsParameters): readonly Test[] {
  return Object.entries(query).flatMap(([name, text]) => {
    if (KNOWN.has(name)) return [];
    const named = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
    const [column] = named;
    if (column === undefined)
      throw wrong(name, 'this is neither a parameter nor a column; see the queryables of the layer');
    if (named.length > 1)
      throw wrong(name, `several columns differ from it only by case; use filter, such as "${column.name}" = 1`);
    return [equality(column, text)];
  });
}

function equality({ name, type }: MapColumn, text: string): Test {
  if (type === 'integer' || type === 'number') {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(number))
      throw wrong(name, `${shown(text)} is not a number, but the column has numbers; send a number`);
    return (feature) => valueOf(feature, name) === number;
  }
  if (type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw wrong(name, `${shown(text)} is not a boolean; send true or false`);
    return (feature) => valueOf(feature, name) === (text === 'true');
  }
  return (feature) => {
    const value = valueOf(feature, name);
    return value !== undefined && cellText(value) === text;
  };
}

function filterOf({ columns }: FeatureTable, query: ItemsParameters): FeatureFilter | undefined {
  srsOf(query, 'filter-crs');
  const { filter, 'filter-lang': language = 'cql2-text' } = query;
  if (language !== 'cql2-text' && language !== 'cql2-json')
    throw wrong('filter-lang', `${shown(language)} is not offered; send cql2-text or cql2-json`);
  if (filter === undefined) return undefined;
  const tree = readFilter(filter, language);
  for (const name of propertiesOf(tree)) if (name !== 'geometry') columnNamed(columns, name, 'filter');
  return { tree, tests: [] };
}

function readFilter(filter: string, language: 'cql2-text' | 'cql2-json'): Cql2Expression {
  try {
    return language === 'cql2-text'
      ? parseCql2Text(filter, FILTER_LIMITS)
      : parseCql2Json(parsedJson(filter), FILTER_LIMITS);
  } catch (error) {
    throw refusal(error, 'filter');
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('filter', 'it is not JSON; send CQL2-JSON, or filter-lang=cql2-text for CQL2-Text');
  }
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * True if the parameter `datetime` meets the interval of the layer, which applies to all its features. Also true
 * without `datetime`, and for a layer without an interval.
 */
function isInTime(text: string | undefined, interval: MapLayer['interval']): boolean {
  if (text === undefined) return true;
  const ends = text.split('/');
  const [from = '', to = from] = ends;
  const start = instant(from, -Infinity);
  // A date without a time is the whole day.
  const end = instant(to.length === 10 ? `${to}T23:59:59.999Z` : to, Infinity);
  const isOpen = [from, to].every((each) => each === '' || each === '..');
  if (ends.length > 2 || isOpen || Number.isNaN(start) || Number.isNaN(end) || start > end)
    throw wrong(
      'datetime',
      `${shown(text)} is not a time or an interval; send 2021-07-01T00:00:00Z, or 2021-07-01T00:00:00Z/.. or ../2022-06-30T00:00:00Z`,
    );
  return interval === null || (start <= Date.parse(interval.end) && end >= Date.parse(interval.start));
}

/** Instant of a text, epoch ms; `open` for an open end, NaN for other texts. */
function instant(text: string, open: number): number {
  if (text === '' || text === '..') return open;
  return INSTANT.test(text) ? Date.parse(text) : Number.NaN;
}
