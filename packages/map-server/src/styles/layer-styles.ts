import { DomainError, messageOf } from '@headwater/core/errors';
import type { MapLayer, MapServerParts } from '@headwater/core/ports';
import { readSld } from './sld.ts';
import type { LayerStyle } from './style-model.ts';

/** Reads the styles of layers, and caches the styles that were read last. */
export interface LayerStyles {
  /** The default style; null if the Item of the layer has none. Throws `internal` for a stored style that cannot be read. */
  of(layer: MapLayer): Promise<LayerStyle | null>;
}

const CACHED = 500;
/** Maximum size of a stored style, bytes. */
const STYLE_BYTES = 2 ** 20;

/** Creates the cache of styles. */
export function createLayerStyles({ openFile }: Pick<MapServerParts, 'openFile'>): LayerStyles {
  const cached = new Map<string, Promise<LayerStyle | null>>();
  return {
    of: async (layer) => {
      const { sldKey, version } = layer;
      if (sldKey === null) return null;
      const key = `${sldKey}|${version}`;
      const hit = cached.get(key);
      if (hit !== undefined) return await hit;
      const [oldest] = cached.keys();
      if (cached.size >= CACHED && oldest !== undefined) cached.delete(oldest);
      const style = readStyle(layer, sldKey, openFile);
      cached.set(key, style);
      style.catch(() => cached.delete(key));
      return await style;
    },
  };
}

async function readStyle(
  { name }: MapLayer,
  key: string,
  openFile: MapServerParts['openFile'],
): Promise<LayerStyle | null> {
  const file = await openFile(key);
  if (file === undefined || file.bytes === 0) return null;
  try {
    if (file.bytes > STYLE_BYTES) throw new Error(`it has ${file.bytes} bytes; at most ${STYLE_BYTES} are read`);
    return readSld(await new Response(file.stream(0, file.bytes - 1)).text());
  } catch (cause) {
    throw new DomainError('internal', `${name}: its style cannot be read (${messageOf(cause)}); publish it again`, {
      cause,
    });
  }
}
