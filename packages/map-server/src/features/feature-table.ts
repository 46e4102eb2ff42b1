import type { AssetFile } from '@headwater/core';
import { createByteLimitedCache } from '@headwater/core/caching';
import { DomainError } from '@headwater/core/errors';
import { FeatureScanner } from '@headwater/core/geo';
import type { MapColumn, MapLayer, MapServerParts } from '@headwater/core/ports';
import { createKeyedLimiter } from '@headwater/core/timing';
import { isObject } from '@headwater/core/values';
import Flatbush from 'flatbush';
import type { Geometry, Position } from 'geojson';
import { ogcError } from '../protocol/ogc-error.ts';

/** Box, degrees. */
export type FeatureBox = readonly [west: number, south: number, east: number, north: number];

/** A feature in memory. */
export interface MapFeature {
  /** Id `{layer}.{n}`; n is the position in the file from 1, as in GeoServer. */
  readonly id: string;
  readonly geometry: Geometry | null;
  readonly box: FeatureBox | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** All features of one version of a layer, with a spatial index. */
export interface FeatureTable {
  readonly columns: readonly MapColumn[];
  /**
   * Geometry type of all features. `Point` and `MultiPoint` together give `MultiPoint`, and so on for lines and
   * polygons. Other mixtures, and a table without geometries, give `Geometry`.
   */
  readonly geometryType: Geometry['type'] | 'Geometry';
  readonly features: readonly MapFeature[];
  /** Extent of all features; null without geometries. */
  readonly box: FeatureBox | null;
  /** Indexes of features whose boxes touch this box, ascending. */
  inBox(box: FeatureBox): readonly number[];
}

/** Reads and caches layers. */
export interface FeatureTables {
  /**
   * Table of a layer. Throws 400 for a too large file, `unavailable` for a missing file, `internal` for a file that is
   * not GeoJSON.
   */
  of(layer: MapLayer): Promise<FeatureTable>;
}

/**
 * Maximum total size of the files whose tables are cached, and maximum size of one such file, bytes. A table in memory
 * is three times as large as its file.
 */
const CACHED_BYTES = 64 * 2 ** 20;
/** Maximum size of one feature, bytes. Also the maximum size of the other members of the file together. */
const FEATURE_BYTES = 64 * 2 ** 20;

/** Maximum number of layers that are read at a time, because reading needs memory in addition to the cache. */
const CONCURRENCY = 2;
/** Maximum number of layers that wait to be read. */
const MOST_WAITING = 64;

interface SizedTable {
  readonly table: FeatureTable;
  readonly bytes: number;
}

/** Creates the cache of tables. Simultaneous requests for a layer share one read. */
export function createFeatureTables(
  { openFile }: Pick<MapServerParts, 'openFile'>,
  mostBytes = CACHED_BYTES,
): FeatureTables {
  const cache = createByteLimitedCache<string, SizedTable>({
    mostBytes,
    mostOfOne: mostBytes,
    sizeOf: ({ bytes }) => bytes,
  });
  const limiter = createKeyedLimiter({
    concurrency: CONCURRENCY,
    maxWaiting: MOST_WAITING,
    refuse: () => new DomainError('unavailable', 'too many layers are being read; send the request again in a minute'),
  });
  const read = async (layer: MapLayer): Promise<SizedTable> => {
    const file = await openFile(layer.assetKey);
    if (file === undefined)
      throw new DomainError(
        'unavailable',
        `${layer.name}: the stored file of this layer is missing; compute or import the layer again`,
      );
    const { bytes } = file;
    if (bytes > mostBytes) throw tooLarge(layer, bytes, mostBytes);
    return { table: await readTable(layer, file), bytes };
  };
  return {
    of: async (layer) => {
      const make = async (): Promise<SizedTable> => await limiter.run('', () => read(layer));
      return (await cache.of(`${layer.assetKey}|${layer.version}`, { version: '', make })).table;
    },
  };
}

function tooLarge({ name }: MapLayer, bytes: number, most: number): DomainError {
  const [size, limit] = [bytes, most].map((each) => `${Math.ceil(each / 2 ** 20)} MiB`);
  return ogcError(
    'OperationNotSupported',
    'layer',
    `${name}: the layer has ${size}, and parts, tiles and maps are possible only for layers of at most ${limit}. Request the whole layer as GeoJSON with WFS 1.0.0, without a filter`,
  );
}

/** True for a geometry. Layers are validated before publication, so only null is distinguished. */
const isGeometry = (value: unknown): value is Geometry => isObject(value);

async function readTable(layer: MapLayer, file: AssetFile): Promise<FeatureTable> {
  const features: MapFeature[] = [];
  // Types are found while the file is read, because a second pass would delay other requests.
  const types: ValueTypes = new Map();
  const scanner = new FeatureScanner({
    feature: FEATURE_BYTES,
    outside: FEATURE_BYTES,
    refusal: (fault) => notGeoJson(layer, fault),
  });
  const decoder = new TextDecoder();
  for await (const bytes of file.bytes === 0 ? [] : file.stream(0, file.bytes - 1)) {
    for (const text of scanner.push(bytes)) {
      const value = parsed(decoder.decode(text), layer);
      if (!isObject(value)) continue;
      const geometry = isGeometry(value['geometry']) ? value['geometry'] : null;
      const properties = isObject(value['properties']) ? value['properties'] : {};
      addTypes(types, properties);
      features.push({ id: `${layer.name}.${features.length + 1}`, geometry, box: boxOfGeometry(geometry), properties });
    }
  }
  scanner.end();
  return createTable(features, layer.columns, types);
}

function parsed(text: string, layer: MapLayer): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notGeoJson(layer, error instanceof Error ? error.message : 'malformed');
  }
}

function notGeoJson({ name }: MapLayer, fault: string): DomainError {
  return new DomainError(
    'internal',
    `${name}: the stored file of this layer is not GeoJSON (${fault}); compute or import the layer again`,
  );
}

/**
 * Builds the table of features. A column has the type in `known`, or a wider type if its values need it. `types`: types
 * of the values by column; default: found in `features`.
 */
export function createTable(
  features: readonly MapFeature[],
  known: readonly MapColumn[] = [],
  types: ValueTypes = typesOf(features),
): FeatureTable {
  const placed = features.flatMap(({ box }, index) => (box === null ? [] : [{ box, index }]));
  const tree = placed.length === 0 ? undefined : new Flatbush(placed.length);
  for (const { box } of placed) tree?.add(...box);
  tree?.finish();
  return {
    // A layer without features has the columns of its Item, so that filters can use them.
    columns: features.length === 0 ? known : columnsOf(types, known),
    geometryType: commonType(features),
    features,
    box: tree === undefined ? null : [tree.minX, tree.minY, tree.maxX, tree.maxY],
    inBox: (box) =>
      tree === undefined
        ? []
        : tree
            .search(...box)
            .map((at) => placed[at]!.index)
            .toSorted((a, b) => a - b),
  };
}

function commonType(features: readonly MapFeature[]): FeatureTable['geometryType'] {
  const types = new Set(features.flatMap(({ geometry }) => (geometry === null ? [] : [geometry.type])));
  const [first, second] = [...types].toSorted((a, b) => a.length - b.length);
  if (types.size === 2 && second === `Multi${first}`) return second;
  return types.size === 1 && first !== undefined ? first : 'Geometry';
}

type Kind = MapColumn['type'];

type ValueTypes = Map<string, Kind | undefined>;

function typesOf(features: readonly MapFeature[]): ValueTypes {
  const types: ValueTypes = new Map();
  for (const { properties } of features) addTypes(types, properties);
  return types;
}

function addTypes(types: ValueTypes, properties: MapFeature['properties']): void {
  for (const [name, value] of Object.entries(properties)) types.set(name, widest(types.get(name), kindOf(value)));
}

function columnsOf(types: ValueTypes, known: readonly MapColumn[]): readonly MapColumn[] {
  // The types of values are also used, because an imported integer column may contain fractions.
  const described = new Map(known.map((column) => [column.name, column]));
  return [...types].map(([name, type]) => {
    const column = described.get(name);
    const typed = { name, type: widest(column?.type, type) ?? 'string' };
    return column?.description === undefined ? typed : { ...typed, description: column.description };
  });
}

function kindOf(value: unknown): Kind | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

function widest(a: Kind | undefined, b: Kind | undefined): Kind | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  const isNumeric = (kind: Kind): boolean => kind === 'integer' || kind === 'number';
  return isNumeric(a) && isNumeric(b) ? 'number' : 'string';
}

/** Box of all positions of a geometry; null for an empty geometry. */
export function boxOfGeometry(geometry: Geometry | null): FeatureBox | null {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x = Number.NaN, y = Number.NaN] of positionsOf(geometry)) {
    if (x < box[0]) box[0] = x;
    if (y < box[1]) box[1] = y;
    if (x > box[2]) box[2] = x;
    if (y > box[3]) box[3] = y;
  }
  return box[0] <= box[2] ? box : null;
}

/** Yields all positions of a geometry. */
export function* positionsOf(geometry: Geometry | null): Generator<Position> {
  if (geometry === null) return;
  if (geometry.type === 'GeometryCollection') {
    for (const part of geometry.geometries) yield* positionsOf(part);
  } else yield* flat(geometry.coordinates);
}

type Nested = Position | readonly Nested[];

function* flat(coordinates: Nested): Generator<Position> {
  if (typeof coordinates[0] === 'number') yield coordinates as Position;
  else for (const each of coordinates as readonly Nested[]) yield* flat(each);
}
