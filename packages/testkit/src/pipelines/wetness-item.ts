import { type PipelinePorts, type Place, placeSlug, type StoredFile } from '@headwater/core';
import { collectionId, collectionPath, instant, itemId, type ItemId, rasterItem } from '@headwater/stac';
import { z } from 'zod';
import type { SmallRaster } from './float-geotiff.ts';

/** Workspace of the layer. */
export const WETNESS = 'wetness';
const PIXEL = 0.01;

/** Names of what it publishes for a place. */
export function wetnessNames({ state, district, tehsil }: Place): { id: ItemId; path: string; layer: string } {
  return {
    id: itemId({ state: state.name, district: district.name, block: tehsil.name, layer: 'wetness' }),
    path: collectionPath(state.name, district.name, tehsil.name),
    layer: `wetness_${placeSlug(district.name)}_${placeSlug(tehsil.name)}`,
  };
}

const point = z.tuple([z.number(), z.number()]).rest(z.number());
const outline = z.object({
  features: z.array(
    z.object({
      geometry: z.union([
        z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(point)) }),
        z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(point))) }),
      ]),
    }),
  ),
});

/** Invented values over the box of a boundary, which is a GeoJSON layer. */
export function rasterOf(layer: unknown): SmallRaster {
  const rings = outline
    .parse(layer)
    .features.flatMap(({ geometry }) =>
      geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
    );
  const [lons, lats] = [rings.flat().map(([lon]) => lon), rings.flat().map(([, lat]) => lat)];
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const [columns, rows] = [Math.round((east - west) / PIXEL), Math.round((north - south) / PIXEL)];
  const values = Float32Array.from({ length: columns * rows }, (_, index) =>
    index === 0 ? Number.NaN : Math.sin(index),
  );
  return { columns, rows, west, north, pixel: PIXEL, values };
}

/** Its Item. */
export function wetnessItem(
  { place, raster, file }: { readonly place: Place; readonly raster: SmallRaster; readonly file: StoredFile },
  { addresses, version, now }: PipelinePorts,
): ReturnType<typeof rasterItem> {
  const names = wetnessNames(place);
  const { west, north, pixel, columns, rows } = raster;
  const [east, south] = [west + pixel * columns, north - pixel * rows];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const published = instant(now());
  return rasterItem({
    id: names.id,
    geometry: { type: 'Polygon', coordinates: [ring] },
    title: `Wetness of ${place.tehsil.name}`,
    description: 'Invented, for a test.',
    start: instant('2021-07-01T00:00:00Z'),
    end: instant('2021-07-31T00:00:00Z'),
    published,
    keywords: ['wetness', place.tehsil.name],
    processing: { lineage: 'Invented within the published boundary.', software: { wetness: version } },
    root: { href: addresses.catalog(), title: 'Root' },
    collection: { id: collectionId(names.path), href: addresses.collection(names.path), title: place.tehsil.name },
    self: addresses.item(names.path, names.id),
    grid: { code: 'EPSG:4326', shape: [rows, columns], transform: [pixel, 0, west, 0, -pixel, north], gsd: 1000 },
    content: { bands: [{ name: 'wetness', description: 'Wetness, -1 to 1', dataType: 'float32', nodata: Number.NaN }] },
    assets: {
      data: { href: addresses.coverage(WETNESS, names.layer), title: 'Raster layer' },
      cog: { href: addresses.file(file.key), title: 'GeoTIFF', file },
    },
  });
}
