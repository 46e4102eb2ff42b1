import type { ValuesIn, ValuesInRequest } from '@headwater/core/ports';
import type { WorkContext } from '@headwater/core';
import { openRaster } from '../tiff/open-raster.ts';
import { pixelsOfGeometries } from './geometry-pixels.ts';
import { valuesAtPixels } from './values-at.ts';

/** `PixelEngine.valuesIn`: the values of a local raster under points and polygons; each tile that holds one is read once. */
export async function valuesIn(
  { path, geometries, most }: ValuesInRequest,
  { signal, progress }: WorkContext,
): Promise<ValuesIn> {
  const file = await openRaster(path, { signal });
  try {
    const pixels = pixelsOfGeometries(geometries, file.grid, { most });
    return { values: await valuesAtPixels(file, pixels, progress), starts: pixels.starts };
  } finally {
    file.close();
  }
}
