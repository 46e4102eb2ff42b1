import { createByteLimitedCache } from '@headwater/core/caching';
import { DomainError, messageOf } from '@headwater/core/errors';
import type { MapLayer, MapServerParts } from '@headwater/core/ports';
import { readSld } from './sld.ts';
import type { LayerStyle } from './style-model.ts';

/** Reads and caches styles of layers. */
export interface LayerStyles {
  /** Default style; null if there is none. Throws `internal` for an unreadable style. */
  of(layer: MapLayer): Promise<LayerStyle | null>;
}

const CACHED_BYTES = 8 * 2 ** 20;
const STYLE_BYTES = 2 ** 20;
/** Bytes that the cache counts for each style in addition to the bytes of its file. */
const OVERHEAD_BYTES = 256;

interface SizedStyle {
  readonly style: LayerStyle | null;
  readonly bytes: number;
}

/** Creates the cache of styles. */
export function createLayerStyles({ openFile }: Pick<MapServerParts, 'openFile'>): LayerStyles {
  const cache = createByteLimitedCache<string, SizedStyle>({
    mostBytes: CACHED_BYTES,
    sizeOf: ({ bytes }) => bytes + OVERHEAD_BYTES,
  });
  return {
    of: async (layer) => {
      const { sldKey, version } = layer;
      if (sldKey === null) return null;
      const make = async (): Promise<SizedStyle> => await readStyle(layer, sldKey, openFile);
      return (await cache.of(`${sldKey}|${version}`, { version: '', make })).style;
    },
  };
}

async function readStyle({ name }: MapLayer, key: string, openFile: MapServerParts['openFile']): Promise<SizedStyle> {
  const file = await openFile(key);
  if (file === undefined || file.bytes === 0) return { style: null, bytes: 0 };
  try {
    if (file.bytes > STYLE_BYTES) throw new Error(`it has ${file.bytes} bytes; at most ${STYLE_BYTES} are read`);
    return { style: readSld(await new Response(file.stream(0, file.bytes - 1)).text()), bytes: file.bytes };
  } catch (cause) {
    throw new DomainError(
      'internal',
      `${name}: the style of this layer cannot be read (${messageOf(cause)}); publish the layer again`,
      { cause },
    );
  }
}
