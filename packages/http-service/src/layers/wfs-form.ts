import { DomainError, type AssetFile } from '@headwater/core';
import { z } from 'zod';
import { FeatureScanner } from './feature-scanner.ts';

/** A vector layer as it is stored. */
export interface StoredLayer {
  readonly layerName: string;
  /** `AssetStore` key, `{runId}/{token}/{name}`. */
  readonly assetKey: string;
  readonly file: AssetFile;
}

const Collection = z.looseObject({ type: z.literal('FeatureCollection') });
const Feature = z.looseObject({ type: z.literal('Feature'), geometry: z.unknown(), properties: z.unknown() });

/** Written together, bytes: features are short and many. */
const PIECE_BYTES = 64 * 1024;

/**
 * A stored layer in the shape of the map servers that clients know, in pieces: however large its GeoJSON is, one feature of it is held.
 * Throws `internal` where it is no GeoJSON, perhaps after the first pieces.
 */
export async function* storedPieces({ layerName, file }: StoredLayer): AsyncGenerator<Uint8Array> {
  try {
    yield* formPieces(layerName, storedFeatures(file), file.modified);
  } catch (cause) {
    throw new DomainError('internal', `${layerName}: its stored file is no GeoJSON; compute it again`, { cause });
  }
}

/** What of a feature is told. */
type FormFeature = Pick<z.infer<typeof Feature>, 'geometry' | 'properties'>;

async function* storedFeatures(file: AssetFile): AsyncGenerator<FormFeature> {
  const scanner = new FeatureScanner();
  for await (const bytes of file.bytes === 0 ? [] : file.stream(0, file.bytes - 1))
    for (const feature of scanner.see(bytes)) yield Feature.parse(JSON.parse(new TextDecoder().decode(feature)));
  Collection.parse(scanner.end());
}

/** Features as the layer of this name in the shape of the map servers that clients know, in pieces. */
export async function* formPieces(
  layerName: string,
  features: AsyncIterable<FormFeature> | Iterable<FormFeature>,
  timeStamp: Date,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  let text = '{"type":"FeatureCollection","features":[';
  for await (const { geometry, properties } of features) {
    count += 1;
    const feature = { type: 'Feature', id: `${layerName}.${count}`, geometry, geometry_name: 'geom', properties };
    text += `${count === 1 ? '' : ','}${JSON.stringify(feature)}`;
    if (text.length < PIECE_BYTES) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}],${endText(count, timeStamp)}`);
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
export async function propertiesOfOnlyFeature(form: AssetFile): Promise<unknown> {
  if (form.bytes === 0) return undefined;
  const end = await new Response(form.stream(Math.max(0, form.bytes - TAIL_BYTES), form.bytes - 1)).text();
  const to = end.lastIndexOf('}],"totalFeatures":1,');
  const from = end.lastIndexOf(BEFORE_PROPERTIES, to);
  return to < 0 || from < 0 ? undefined : JSON.parse(end.slice(from + BEFORE_PROPERTIES.length, to));
}

const TAIL_BYTES = 4500;
/** As `formPieces` writes it. Quotes within texts are escaped, so that no text looks like it. */
const BEFORE_PROPERTIES = '"geometry_name":"geom","properties":';
