import { ModelTypeCode, RasterTypeKey, TiffTag, TiffTagGeo } from '@cogeotiff/core';
import type { TiffImage } from '@cogeotiff/core';
import type { PixelGrid } from '@headwater/core';
import { badFile } from './bad-file.ts';

/**
 * Reads the grid of a file: the CRS from its GeoKeys, the position from its tie point and scale, or from its
 * transformation. Throws `input_data` if position or EPSG code are missing or contradictory, or if rows do not run from
 * north to south.
 */
export function readGrid(image: TiffImage, href: string): PixelGrid {
  const { width: cols, height: rows } = image.size;
  const epsg = readEpsg(image, href);
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

const USER_DEFINED = 32_767;

/**
 * Returns the EPSG code of the CRS. Codes of only the projection or the datum are not used, because they do not define
 * the position of pixels.
 */
function readEpsg(image: TiffImage, href: string): number {
  const model = image.valueGeo(TiffTagGeo.GTModelTypeGeoKey);
  const key = model === ModelTypeCode.Projected ? TiffTagGeo.ProjectedCRSGeoKey : TiffTagGeo.GeodeticCRSGeoKey;
  const epsg = model === ModelTypeCode.Projected || model === ModelTypeCode.Geographic ? image.valueGeo(key) : null;
  if (typeof epsg !== 'number' || !Number.isInteger(epsg) || epsg === USER_DEFINED)
    throw badFile(href, 'its GeoKeys name no EPSG code; assign one with `gdal_edit.py -a_srs EPSG:n`');
  if (epsg === 4326 || epsg === 4979 || /^32[67]\d\d$/.test(String(epsg))) checkWgs84(image, { epsg, href });
  return epsg === 4979 ? 4326 : epsg;
}

/** Keys that repeat datum and units, and their valid values. */
const WGS_84_KEYS = [
  { key: TiffTagGeo.GeodeticCRSGeoKey, name: 'geodetic CRS', may: [4326, 4979, USER_DEFINED] },
  { key: TiffTagGeo.GeodeticDatumGeoKey, name: 'datum', may: [6326, USER_DEFINED] },
  { key: TiffTagGeo.PrimeMeridianGeoKey, name: 'prime meridian', may: [8901, USER_DEFINED] },
  { key: TiffTagGeo.PrimeMeridianLongitudeGeoKey, name: 'prime meridian', may: [0] },
  { key: TiffTagGeo.GeogAngularUnitsGeoKey, name: 'unit of angles', may: [9102, 9122, USER_DEFINED] },
  { key: TiffTagGeo.EllipsoidGeoKey, name: 'ellipsoid', may: [7030, USER_DEFINED] },
  { key: TiffTagGeo.EllipsoidSemiMajorAxisGeoKey, name: 'semi-major axis', may: [6_378_137] },
  { key: TiffTagGeo.ProjLinearUnitsGeoKey, name: 'unit of lengths', may: [9001, USER_DEFINED] },
] as const;

/**
 * Throws `input_data` if GeoKeys contradict WGS 84. Without this check, pixels could be some hundred metres away from
 * their positions.
 */
function checkWgs84(image: TiffImage, { epsg, href }: { readonly epsg: number; readonly href: string }): void {
  const remedy =
    'assign the correct CRS with `gdal_edit.py -a_srs`, and warp to EPSG:4326 or UTM if the CRS is another one';
  for (const { key, name, may } of WGS_84_KEYS) {
    const value = image.valueGeo(key);
    if (value !== null && value !== undefined && !may.some((each) => each === value))
      throw badFile(href, `its GeoKeys contradict themselves: EPSG:${epsg}, but ${name} ${value}; ${remedy}`);
  }
  const shift = [image.valueGeo(TiffTagGeo.GeogTOWGS84GeoKey) ?? []].flat();
  if (shift.some((each) => each !== 0))
    throw badFile(href, `its GeoKeys shift its datum from WGS 84 (TOWGS84 ${shift.join(', ')}); ${remedy}`);
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
    throw badFile(
      href,
      'its georeference has a value that is not a number; assign another with `gdal_edit.py -a_ullr`',
    );
  if (!(affine.pixelWidth > 0 && affine.pixelHeight > 0)) throw notNorthUp(href);
  return affine;
}

function notNorthUp(href: string): Error {
  return badFile(href, 'it is not north-up (rotated or flipped rows); warp it with `gdalwarp -of COG` first');
}
