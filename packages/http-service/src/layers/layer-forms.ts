import { type AssetFile, type AssetStore, isDomainError, type Logger } from '@headwater/core';
import { type Compressed, packedPieces } from '../compressing.ts';
import type { Encoding } from '../reading/accept-encoding.ts';
import { storedPieces, type StoredLayer } from './wfs-form.ts';

/** Vector layers as the map servers that clients know send them. */
export interface LayerForms {
  /** What tells versions of a form apart, known without reading anything. */
  validators(layer: StoredLayer, encoding: Encoding): Pick<AssetFile, 'etag' | 'modified'>;
  /**
   * A layer's form as a file. It is made once, at the first request, and kept beside the stored GeoJSON, with which it goes; so is each
   * compressed form. Throws `internal` where the stored file is no GeoJSON.
   */
  file(layer: StoredLayer, encoding: Encoding): Promise<EncodedFile>;
}

/** A file and how its bytes are encoded. */
export interface EncodedFile extends AssetFile {
  readonly encoding: Encoding;
}

/** What forms are kept in. */
export interface FormSources {
  readonly assets: AssetStore;
  readonly logger: Logger;
}

const ENDINGS = { identity: '', gzip: '.gz', br: '.br' } as const;

/** Makes forms; each once, several askers at a time included. */
export function createLayerForms({ assets, logger }: FormSources): LayerForms {
  const underWay = new Map<string, Promise<AssetFile>>();
  const once = (key: string, make: () => Promise<AssetFile>): Promise<AssetFile> => {
    const there = underWay.get(key);
    if (there !== undefined) return there;
    const making = make().finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making;
  };
  const kept = async (key: string, pieces: () => AsyncIterable<Uint8Array>): Promise<AssetFile> =>
    (await assets.open(key)) ??
    (await once(key, async () => {
      const [runId = '', token = '', name = ''] = key.split('/');
      await assets.write(runId, Number(token), name, pieces());
      const made = await assets.open(key);
      if (made === undefined) throw new Error(`${key}: written, and gone since`);
      return made;
    }));
  const plainOf = async (layer: StoredLayer): Promise<Pick<AssetFile, 'bytes' | 'stream'>> => {
    try {
      return await kept(keyOf(layer, 'identity'), () => storedPieces(layer));
    } catch (error) {
      if (isDomainError(error) && error.code === 'internal') throw error;
      // A full disk, or files that have just gone: the answer is made for this request.
      logger.error({ error, layer: layer.layerName }, 'the map server form of a layer could not be kept');
      return await unkept(layer);
    }
  };
  const packedOf = async (
    layer: StoredLayer,
    encoding: Compressed,
  ): Promise<Pick<AssetFile, 'bytes' | 'stream'> | undefined> => {
    const form = await plainOf(layer);
    try {
      const pieces = (): AsyncIterable<Uint8Array> => packedPieces(form.stream(0, form.bytes - 1), encoding);
      return await kept(keyOf(layer, encoding), pieces);
    } catch (error) {
      logger.error(
        { error, layer: layer.layerName },
        'a compressed form of a layer could not be kept; it is sent as it is',
      );
      return undefined;
    }
  };
  return {
    validators,
    file: async (layer, encoding) => {
      const packed = encoding === 'identity' ? undefined : await packedOf(layer, encoding);
      const sent = packed === undefined ? 'identity' : encoding;
      const form = packed ?? (await plainOf(layer));
      const stream: AssetFile['stream'] = (start, end) => form.stream(start, end);
      return { bytes: form.bytes, stream, ...validators(layer, sent), encoding: sent };
    },
  };
}

function keyOf(layer: StoredLayer, encoding: Encoding): string {
  return `${layer.assetKey}.${formOf(layer)}.json${ENDINGS[encoding]}`;
}

function validators(layer: StoredLayer, encoding: Encoding): Pick<AssetFile, 'etag' | 'modified'> {
  const { etag, modified } = layer.file;
  return { etag: `${etag}-${formOf(layer)}${encoding === 'identity' ? '' : `-${encoding}`}`, modified };
}

/** Forms that are called `wfs` are those of versions that named the geometries of every layer `geom`. */
const formOf = ({ properties }: StoredLayer): string => (properties === undefined ? 'ows' : 'bounds');

/** A form that nothing keeps: counted first and made again as it is sent, so that it is never held whole. */
async function unkept(layer: StoredLayer): Promise<Pick<AssetFile, 'bytes' | 'stream'>> {
  let bytes = 0;
  for await (const piece of storedPieces(layer)) bytes += piece.byteLength;
  return { bytes, stream: (start, end) => ReadableStream.from(between(storedPieces(layer), start, end)) };
}

/** Bytes `start` to `end` of pieces, both inclusive. */
async function* between(pieces: AsyncIterable<Uint8Array>, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    if (part.byteLength > 0) yield part;
    at += piece.byteLength;
    if (at > end) return;
  }
}
