import { type AssetFile, DomainError, isDomainError } from '@headwater/core';
import { FeatureScanner } from '@headwater/core/geo';
import { isObject } from '@headwater/core/values';
import { z } from 'zod';

/** A vector layer as it is stored. */
export interface StoredLayer {
  readonly layerName: string;
  /** `AssetStore` key, `{runId}/{token}/{name}`. */
  readonly assetKey: string;
  readonly file: AssetFile;
  /** What its map server calls the column of its geometries. */
  readonly geometryName: string;
  /** The only properties that are sent; undefined: all of them. */
  readonly properties?: readonly string[] | undefined;
}

/** What a form is made of. */
export interface FormSource extends Pick<StoredLayer, 'layerName' | 'geometryName'> {
  /** `AssetStore` key of the form as it is; compressed forms stand beside it. */
  readonly key: string;
  /** What tells versions of the form as it is apart, known without reading anything. */
  readonly validators: Pick<AssetFile, 'etag' | 'modified'>;
  /** HEAD has it made, to tell its length: programs that read published files in pieces ask so first. */
  readonly isMadeForHead: boolean;
  /** The form as it is, the same bytes each time it is made. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** The form of a stored layer, kept beside its GeoJSON, with which it goes. */
export function storedForm(layer: StoredLayer): FormSource {
  const { layerName, geometryName, assetKey, file, properties } = layer;
  // Forms that are called `wfs` are those of versions that named the geometries of every layer `geom`.
  const form = properties === undefined ? 'ows' : 'bounds';
  return {
    layerName,
    geometryName,
    key: `${assetKey}.${form}.json`,
    validators: { etag: `${file.etag}-${form}`, modified: file.modified },
    isMadeForHead: true,
    pieces: () => storedPieces(layer),
  };
}

const Collection = z.looseObject({ type: z.literal('FeatureCollection') });
const Feature = z.looseObject({ type: z.literal('Feature'), geometry: z.unknown(), properties: z.unknown() });

/** Most bytes of one feature, and of all that stands beside the features. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Written together, bytes: features are short and many. */
const PIECE_BYTES = 64 * 1024;

/**
 * A stored layer in the shape of the map servers that clients know, in pieces: however large its GeoJSON is, one feature of it is held.
 * Throws `internal` if it is no GeoJSON, `unavailable` if the file was removed or replaced; perhaps after the first pieces.
 */
async function* storedPieces(layer: StoredLayer): AsyncGenerator<Uint8Array> {
  const { layerName, file } = layer;
  try {
    yield* formPieces(layer, storedFeatures(file), file.modified);
  } catch (cause) {
    if (isDomainError(cause) && cause.code === 'unavailable') throw cause;
    throw new DomainError('internal', `${layerName}: its stored file is no GeoJSON; compute it again`, { cause });
  }
}

/** What of a feature is told. */
type FormFeature = Pick<z.infer<typeof Feature>, 'geometry' | 'properties'>;

async function* storedFeatures(file: AssetFile): AsyncGenerator<FormFeature> {
  const scanner = new FeatureScanner({
    feature: MOST_BYTES,
    outside: MOST_BYTES,
    refusal: (fault) => new Error(fault),
  });
  for await (const bytes of file.bytes === 0 ? [] : file.stream(0, file.bytes - 1))
    for (const feature of scanner.push(bytes)) yield Feature.parse(JSON.parse(new TextDecoder().decode(feature)));
  Collection.parse(JSON.parse(new TextDecoder().decode(scanner.end())));
  if (!scanner.hasList) throw new Error('it has no list of features');
}

/** Features as this layer in the shape of the map servers that clients know, in pieces. */
export async function* formPieces(
  { layerName, geometryName, properties: sent }: Omit<StoredLayer, 'assetKey' | 'file'>,
  features: AsyncIterable<FormFeature>,
  timeStamp: Date,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  let text = '{"type":"FeatureCollection","features":[';
  for await (const { geometry, properties: all } of features) {
    count += 1;
    const properties = sent === undefined || !isObject(all) ? all : only(sent, all);
    const feature = { type: 'Feature', id: `${layerName}.${count}`, geometry, geometry_name: geometryName, properties };
    text += `${count === 1 ? '' : ','}${JSON.stringify(feature)}`;
    if (text.length < PIECE_BYTES) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}],${endText(count, timeStamp)}`);
}

function only(names: readonly string[], all: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(all, name)).map((name) => [name, all[name]]));
}

function endText(count: number, timeStamp: Date): string {
  const end = {
    totalFeatures: count,
    numberMatched: count,
    numberReturned: count,
    timeStamp: timeStamp.toISOString(),
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4326' } },
  };
  return JSON.stringify(end).slice(1);
}

/**
 * Properties of the only feature of a layer's map server form; undefined where it has none or several, or properties of more than about
 * 4,000 bytes. Reads the end of the file alone: geometries, which may be of megabytes, stand before it.
 */
export async function propertiesOfOnlyFeature(
  form: AssetFile,
  { geometryName }: Pick<StoredLayer, 'geometryName'>,
): Promise<unknown> {
  if (form.bytes === 0) return undefined;
  const end = await new Response(form.stream(Math.max(0, form.bytes - TAIL_BYTES), form.bytes - 1)).text();
  const to = end.lastIndexOf('}],"totalFeatures":1,');
  // As `formPieces` writes it. Quotes within texts are escaped, so that no text looks like it.
  const before = `"geometry_name":"${geometryName}","properties":`;
  const from = end.lastIndexOf(before, to);
  return to < 0 || from < 0 ? undefined : JSON.parse(end.slice(from + before.length, to));
}

const TAIL_BYTES = 4500;
