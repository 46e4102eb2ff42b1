import { RasterTypeKey, TiffTag, TiffTagGeo } from '@cogeotiff/core';
import type { TiffImage } from '@cogeotiff/core';
import type { PixelGrid } from '@headwater/core';
import { badFile } from './bad-file.ts';

/**
 * The file's own grid, from its GeoKeys and its tie point and scale or its transformation (north-up only).
 * Throws `input_data` where the CRS has no EPSG code or rows do not run north to south.
 */
export function readGrid(image: TiffImage, href: string): PixelGrid {
  const { width: cols, height: rows } = image.size;
  // Undefined where the CRS's own key is missing, which the library's type does not say.
  const epsg = image.epsg ?? null;
  if (!Number.isInteger(epsg)) {
    throw badFile(href, 'its GeoKeys name no EPSG code; assign one with `gdal_edit.py -a_srs EPSG:n`');
  }
  const affine = readAffine(image, href);
  const point = image.valueGeo(TiffTagGeo.GTRasterTypeGeoKey) === RasterTypeKey.PixelIsPoint ? 0.5 : 0;
  return {
    crs: `EPSG:${epsg}`,
    west: affine.west - point * affine.pixelWidth,
    north: affine.north + point * affine.pixelHeight,
    pixelWidth: affine.pixelWidth,
    pixelHeight: affine.pixelHeight,
    cols,
    rows,
  };
}

type Affine = Pick<PixelGrid, 'west' | 'north' | 'pixelWidth' | 'pixelHeight'>;

function readAffine(image: TiffImage, href: string): Affine {
  const scale = image.value(TiffTag.ModelPixelScale);
  const tie = image.value(TiffTag.ModelTiePoint);
  if (scale !== null && tie !== null && tie.length >= 6) {
    const [i = 0, j = 0, , x = 0, y = 0] = tie;
    return northUp(
      { west: x - i * scale[0], north: y + j * scale[1], pixelWidth: scale[0], pixelHeight: scale[1] },
      href,
    );
  }
  const m = image.value(TiffTag.ModelTransformation);
  if (m === null) throw badFile(href, 'it has no georeference (tie point and pixel scale); it must be a GeoTIFF');
  if (m[1] !== 0 || m[4] !== 0) throw notNorthUp(href);
  return northUp({ west: m[3], north: m[7], pixelWidth: m[0], pixelHeight: -m[5] }, href);
}

function northUp(affine: Affine, href: string): Affine {
  if (!Object.values(affine).every((value) => Number.isFinite(value)))
    throw badFile(href, 'its georeference holds what is no number; assign another with `gdal_edit.py -a_ullr`');
  if (!(affine.pixelWidth > 0 && affine.pixelHeight > 0)) throw notNorthUp(href);
  return affine;
}

function notNorthUp(href: string): Error {
  return badFile(href, 'it is not north-up (rotated or flipped rows); warp it with `gdalwarp -of COG` first');
}
