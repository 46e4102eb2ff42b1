import { invalidField } from '@headwater/core';
import { BadPlaceFile } from '../places/bad-place-file.ts';
import { layersOfGeopackage } from './geopackage/read-geopackage.ts';
import { shapefileNames } from './shapefile/shapefile-zip.ts';

/** Names of the layers of a GeoPackage and of the Shapefiles of a zip file; none for GeoJSON. Throws `validation` for a broken file. */
export async function layerNames(path: string): Promise<readonly string[]> {
  try {
    if (path.endsWith('.gpkg')) return await layersOfGeopackage(path);
    return path.endsWith('.zip') ? await shapefileNames(path) : [];
  } catch (error) {
    throw error instanceof BadPlaceFile ? invalidField('file', error.message) : error;
  }
}
