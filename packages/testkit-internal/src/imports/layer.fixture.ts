import type { LayerOptions } from '@headwater/ingest';
import { writeGeoTiff } from '@headwater/raster';

/** Collection of the sample tehsil. */
export const PATH = 'sample_state/sample_district/sample_tehsil';

/** Options of imported layers. */
export const LAYER_OPTIONS: LayerOptions = {
  name: 'drainage',
  workspace: 'imported',
  dataset: 'Drainage',
  title: 'Drainage lines',
  description: 'Drawn from a map sheet.',
  license: 'CC-BY-4.0',
  providers: [{ name: 'Survey office', roles: ['producer'], url: 'https://survey.example.org/' }],
  attribution: 'Survey office, 2021',
  start: '2020-07-01',
  end: '2021-06-30',
};

/** A GeoJSON feature. */
export const feature = (geometry: unknown, properties: Readonly<Record<string, unknown>>) => ({
  type: 'Feature',
  geometry,
  properties,
});
/** A square with the south-west corner (`west`, `south`) and sides of `size`, all in degrees. */
export const polygon = (west: number, south: number, size = 0.02) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
});
/** A line within the sample tehsil. */
export const line = {
  type: 'LineString',
  coordinates: [
    [85.01, 24.01],
    [85.05, 24.06],
  ],
};
/** Text of a feature collection. */
export const collectionText = (...features: readonly unknown[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features });

/**
 * Writes a tiled GeoTIFF of 20 x 20 pixels. The first pixel is 0. Of the last row, all but the first pixel are nodata.
 */
export async function writeRaster(path: string, west = 84.98): Promise<void> {
  const grid = { crs: 'EPSG:4326', west, north: 24.12, pixelWidth: 0.007, pixelHeight: 0.007, cols: 20, rows: 20 };
  const data = Float32Array.from({ length: 400 }, (_, index) => (index > 380 ? -9999 : index / 4));
  await writeGeoTiff(path, { grid, data, nodata: -9999, overviews: 'none', predictor: 1, tileSize: 16 });
}
