import { type AssetFile, type AssetStore, DomainError } from '@headwater/core';
import { z } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import type { LayerFile } from './layer-file.ts';

const Stored = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(z.looseObject({ type: z.literal('Feature'), geometry: z.unknown(), properties: z.unknown() })),
});

/** What tells versions of a layer's map server form apart, known without reading anything. */
export function formValidators({ file }: LayerFile): Pick<AssetFile, 'etag' | 'modified'> {
  return { etag: `${file.etag}-wfs`, modified: file.modified };
}

/**
 * A layer in the shape of the map servers that clients know, as a file. It is made once, at the first request, and kept beside the
 * stored GeoJSON, with which it goes: later ones open it. Throws `internal` where the stored file is no GeoJSON.
 */
export async function formFile(deps: ServiceDeps, layer: LayerFile): Promise<AssetFile> {
  const kept = await deps.assets?.open(`${layer.assetKey}${SUFFIX}`);
  const form = kept ?? (await make(deps, layer));
  return { ...form, ...formValidators(layer), stream: (start, end) => form.stream(start, end) };
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
/** As `collection` writes it. Quotes within texts are escaped, so that no text looks like it. */
const BEFORE_PROPERTIES = '"geometry_name":"geom","properties":';
const SUFFIX = '.wfs.json';

async function make(deps: ServiceDeps, layer: LayerFile): Promise<Pick<AssetFile, 'bytes' | 'stream'>> {
  const text = JSON.stringify(collection(layer, await readStored(layer)));
  try {
    if (deps.assets !== undefined) await keep(deps.assets, layer.assetKey, text);
  } catch (error) {
    // A full disk, or files that have just gone: the answer is here all the same.
    deps.logger.error({ error, layer: layer.layerName }, 'the map server form of a layer could not be kept');
  }
  const bytes = new TextEncoder().encode(text);
  return { bytes: bytes.length, stream: (start, end) => new Blob([bytes.subarray(start, end + 1)]).stream() };
}

async function keep(assets: AssetStore, assetKey: string, text: string): Promise<void> {
  const [runId = '', token = '', name = ''] = assetKey.split('/');
  await assets.write(runId, Number(token), name + SUFFIX, text);
}

async function readStored({ file, layerName }: LayerFile): Promise<z.infer<typeof Stored>> {
  const text = file.bytes === 0 ? '' : await new Response(file.stream(0, file.bytes - 1)).text();
  try {
    return Stored.parse(JSON.parse(text));
  } catch (cause) {
    throw new DomainError('internal', `${layerName}: its stored file is no GeoJSON; compute it again`, { cause });
  }
}

function collection(
  { layerName, file }: LayerFile,
  { features }: z.infer<typeof Stored>,
): Readonly<Record<string, unknown>> {
  const count = features.length;
  return {
    type: 'FeatureCollection',
    features: features.map(({ geometry, properties }, index) => ({
      type: 'Feature',
      id: `${layerName}.${index + 1}`,
      geometry,
      geometry_name: 'geom',
      properties,
    })),
    totalFeatures: count,
    numberMatched: count,
    numberReturned: count,
    timeStamp: file.modified.toISOString(),
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4326' } },
  };
}
