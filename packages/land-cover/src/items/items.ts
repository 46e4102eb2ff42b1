import type { Box, StoredFile } from '@headwater/core';
import { MEDIA, rasterItem, vectorItem } from '@headwater/stac';
import { RASTER_WORKSPACE, rasterLayer, VECTOR_WORKSPACE, vectorLayer } from '../run/names.ts';
import type { YearRaster } from '../run/rasters.ts';
import { classesOf, qualityClassesOf } from './class-counts.ts';
import { asset, levelAssets, sideAssets, type SideFiles } from './item-assets.ts';
import type { MwsPreview } from './mws-preview.ts';
import { mwsColumns } from './mws-layer.ts';
import { sharedMembers, type ItemTools } from './shared-members.ts';

/** Item of one year's raster. */
export function rasterItemOf(year: YearRaster, side: SideFiles, tools: ItemTools): ReturnType<typeof rasterItem> {
  const { job, ports } = tools;
  const { result, cog } = year;
  const { layerName } = rasterLayer(job.slugs, result.year);
  const quality = asset(
    ports,
    year.qualityFile,
    'Quality of each pixel: 1 computed, 2 too few observations, 3 filled, 4 corrected',
  );
  const confidence = asset(
    ports,
    year.confidenceFile,
    'Confidence of each pixel in percent: the share of pixels with such evidence that is expected to be right; 0 = no class',
  );
  const { west, north, pixelWidth, pixelHeight, cols, rows } = cog.grid;
  const box: Box = [west, north - rows * pixelHeight, west + cols * pixelWidth, north];
  return rasterItem({
    ...sharedMembers(tools, { from: result.year, to: result.year, years: [year], box, kind: 'raster' }),
    grid: { code: 'EPSG:4326', shape: [rows, cols], transform: [pixelWidth, 0, west, 0, -pixelHeight, north], gsd: 10 },
    content: { classes: classesOf(cog), dataType: 'uint8', nodata: 0 },
    assets: {
      data: { href: ports.addresses.coverage(RASTER_WORKSPACE, layerName), title: 'Raster Layer' },
      cog: asset(ports, year.cogFile, 'Cloud-optimized GeoTIFF'),
      ...sideAssets(ports, side),
      others: {
        ...(side.levels === undefined ? {} : levelAssets(ports, side.levels)),
        quality: {
          ...quality,
          type: MEDIA.cog,
          roles: ['metadata'],
          content: { classes: qualityClassesOf(year.counts), dataType: 'uint8', nodata: 0 },
        },
        confidence: {
          ...confidence,
          type: MEDIA.cog,
          roles: ['metadata'],
          content: { bands: [{ name: 'confidence', dataType: 'uint8', nodata: 0, unit: '%' }] },
        },
      },
    },
  });
}

/** Item of the per-MWS vector over all years. */
export function vectorItemOf(
  years: readonly YearRaster[],
  files: SideFiles & { readonly geojson: StoredFile; readonly preview: MwsPreview },
  tools: ItemTools,
): ReturnType<typeof vectorItem> {
  const { job, ports } = tools;
  const [from, to] = [job.years[0] ?? 0, job.years.at(-1) ?? 0];
  return vectorItem({
    ...sharedMembers(tools, { from, to, years, box: job.mwsBox, kind: 'vector' }),
    columns: mwsColumns(job.years),
    primaryGeometry: 'geometry',
    rowCount: job.mws.length,
    assets: {
      data: {
        href: ports.addresses.features(VECTOR_WORKSPACE, vectorLayer(job.slugs).layerName),
        title: 'Vector Layer',
      },
      geojson: asset(ports, files.geojson, 'GeoJSON'),
      ...sideAssets(ports, files, files.preview),
    },
  });
}
