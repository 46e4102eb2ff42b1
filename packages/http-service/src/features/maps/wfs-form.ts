import { type AssetFile, DomainError, isDomainError } from '@headwater/core';
import { FeatureScanner } from '@headwater/core/geo';
import { isObject } from '@headwater/core/values';
import { z } from 'zod';

/** A stored vector layer. */
export interface StoredLayer {
  readonly layerName: string;
  /** `AssetStore` key, `{runId}/{token}/{name}`. */
  readonly assetKey: string;
  readonly file: AssetFile;
  readonly geometryName: string;
  /** Properties to send; default: all. */
  readonly properties?: readonly string[] | undefined;
}

/** Source of a WFS response. */
export interface FormSource extends Pick<StoredLayer, 'layerName' | 'geometryName'> {
  /** Key of the cached uncompressed response. The keys of compressed responses begin with it. */
  readonly key: string;
  /** ETag and time of the uncompressed response; known without reading a file. */
  readonly validators: Pick<AssetFile, 'etag' | 'modified'>;
  /** True if HEAD builds the response, to send its length. Programs need the length to read ranges. */
  readonly isMadeForHead: boolean;
  /** True if building takes no longer than reading a file. A small response is then cached only in memory. */
  readonly isCheap: boolean;
  /**
   * True if all files in the folder of `key` are cached responses of this source. The folder is emptied before a new
   * response is written.
   */
  readonly ownsFolder: boolean;
  /** Yields the uncompressed response in pieces of about this length, characters. Each call yields the same text. */
  pieces(length: number): AsyncIterable<string>;
}

/** Source of a stored layer's WFS response. The response is cached next to the GeoJSON. */
export function storedForm(layer: StoredLayer): FormSource {
  const { layerName, geometryName, assetKey, file, properties } = layer;
  // The key does not contain `wfs`, because earlier versions cached wrong files under this name.
  const form = properties === undefined ? 'ows' : 'bounds';
  return {
    layerName,
    geometryName,
    key: `${assetKey}.${form}.json`,
    validators: { etag: `${file.etag}-${form}`, modified: file.modified },
    isMadeForHead: true,
    isCheap: false,
    ownsFolder: false,
    pieces: (length) => storedPieces(layer, length),
  };
}

const Collection = z.looseObject({ type: z.literal('FeatureCollection') });
const Feature = z.looseObject({ type: z.literal('Feature'), geometry: z.unknown(), properties: z.unknown() });

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Yields a layer in GeoServer's shape, in pieces of about `length` characters. Reads one feature at a time. Throws
 * `internal` or `unavailable`, also after some pieces.
 */
async function* storedPieces(layer: StoredLayer, length: number): AsyncGenerator<string> {
  const { layerName, file } = layer;
  try {
    yield* formPieces(layer, storedFeatures(file), { timeStamp: file.modified, length });
  } catch (cause) {
    if (isDomainError(cause) && cause.code === 'unavailable') throw cause;
    throw new DomainError(
      'internal',
      `${layerName}: the stored file of this layer cannot be read as GeoJSON; compute or import the layer again`,
      { cause },
    );
  }
}

/** The sent members of a feature. `geometry` is GeoJSON text or `null`. */
export interface FormFeature {
  readonly geometry: string;
  readonly properties: unknown;
}

async function* storedFeatures(file: AssetFile): AsyncGenerator<readonly FormFeature[]> {
  const scanner = new FeatureScanner({
    feature: MOST_BYTES,
    outside: MOST_BYTES,
    refusal: (fault) => new Error(fault),
  });
  for await (const bytes of file.bytes === 0 ? [] : file.stream(0, file.bytes - 1))
    for (const feature of scanner.push(bytes)) {
      const { geometry, properties } = Feature.parse(JSON.parse(new TextDecoder().decode(feature)));
      yield [{ geometry: JSON.stringify(geometry ?? null), properties }];
    }
  Collection.parse(JSON.parse(new TextDecoder().decode(scanner.end())));
  if (!scanner.hasList) throw new Error('it has no list of features');
}

/**
 * Yields features as a WFS response, in the shape that GeoServer sends. `parts` yields lists of features, because an
 * `await` for each single feature would take longer than writing it.
 */
export async function* formPieces(
  { layerName, geometryName, properties: sent }: Omit<StoredLayer, 'assetKey' | 'file'>,
  parts: AsyncIterable<readonly FormFeature[]>,
  { timeStamp, length }: { readonly timeStamp: Date; readonly length: number },
): AsyncGenerator<string> {
  let count = 0;
  let text = '{"type":"FeatureCollection","features":[';
  for await (const part of parts)
    for (const { geometry, properties: all } of part) {
      count += 1;
      const properties = sent === undefined || !isObject(all) ? all : only(sent, all);
      const end = JSON.stringify({ geometry_name: geometryName, properties }).slice(1);
      text += `${count === 1 ? '' : ','}{"type":"Feature","id":${JSON.stringify(`${layerName}.${count}`)},"geometry":${geometry},${end}`;
      if (text.length < length) continue;
      yield text;
      text = '';
    }
  yield `${text}],${endText(count, timeStamp)}`;
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
 * Properties of the only feature in a WFS response. Undefined for several features, and for properties of more
 * than about 4,000 bytes. Reads only the end of the file, because geometries may be large.
 */
export async function propertiesOfOnlyFeature(
  form: AssetFile,
  { geometryName }: Pick<StoredLayer, 'geometryName'>,
): Promise<unknown> {
  if (form.bytes === 0) return undefined;
  const end = await new Response(form.stream(Math.max(0, form.bytes - TAIL_BYTES), form.bytes - 1)).text();
  const to = end.lastIndexOf('}],"totalFeatures":1,');
  // No value contains this text, because quotation marks within values are escaped.
  const before = `"geometry_name":"${geometryName}","properties":`;
  const from = end.lastIndexOf(before, to);
  return to < 0 || from < 0 ? undefined : JSON.parse(end.slice(from + before.length, to));
}

const TAIL_BYTES = 4500;
