import { fileName, mwsZones, outputGrid, type Rgba, type ScratchRaster, type WorkContext } from '@headwater/core';
import { fileAsset, layerItemId, type LayerWork, type RunOutput, publishMws, rgb } from '@headwater/layer-kit';
import { MEDIA } from '@headwater/stac';
import { landformCodes, LANDFORMS } from '../../landforms/classes.ts';
import { type CoveredTerrain, TERRAIN_CODES } from '../../zones/land-cover-by-terrain.ts';
import { elevationAbout, type TerrainAbout } from '../dem/elevation-about.ts';
import { sourceElevation } from '../terrain-descriptor/pipeline.ts';
import type { TerrainLulcParams } from './terrain-rows.ts';
import { type TerrainAreas, terrainLulcColumns, terrainLulcRows, terrainLulcStyle } from './terrain-rows.ts';

function terrainLulcAbout(
  terrain: CoveredTerrain,
  { startYear, endYear }: Pick<TerrainLulcParams, 'startYear' | 'endYear'>,
): TerrainAbout {
  const landform = terrain === 'slope' ? 'open slopes (landform 6)' : 'plains (landform 5)';
  return {
    layer: `terrain_lulc_${terrain}_vector`,
    title: `Land cover on ${terrain}s`,
    description:
      `Land cover on the ${landform} of each micro-watershed (\`uid\`), in percent of all its plains and open slopes whose cover is known. ` +
      '`unseen_area_in_ha` is the area of plains and open slopes whose cover is unknown; if this is more than half of the area of all plains and open slopes, shares are null. ' +
      `Each pixel has its most frequent class of hydrological years ${startYear} to ${endYear}. ` +
      'A pixel of land cover (about 10 m) has the landform (about 30 m) at its centre. ' +
      '`cluster_name` is the dominant cover: one kind if it has at least half of the sum of all shares, otherwise the two largest kinds. Clusters by agro-ecological region, as in other services, are not available here.',
    lineage: 'Areas of land-cover classes by landform, edge pixels weighted by covered fraction',
    keywords: ['land cover', 'landforms', 'micro-watersheds'],
    years: [startYear, endYear],
  };
}

const colorOf = (terrain: CoveredTerrain): Rgba => {
  const codes = landformCodes(terrain === 'plain' ? 'plain' : 'slopy');
  return [...rgb(LANDFORMS.find(({ code }) => codes.includes(code))?.color ?? '#000000'), 255];
};
const PALETTE: Readonly<Record<number, Rgba>> = Object.fromEntries(
  TERRAIN_CODES.map(({ code, terrain }) => [code, colorOf(terrain)]),
);
const NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  TERRAIN_CODES.map(({ code, terrain, value }) => [code, `Land cover ${value} on a ${terrain}`]),
);

/** Raster of land-cover codes for publication, and the terrain whose shares the layer has. */
export interface TerrainLulc {
  readonly terrain: CoveredTerrain;
  readonly codes: ScratchRaster;
}

/** Sums areas by code in each micro-watershed. Publishes the layer, the sheet and the raster of codes. */
export async function publishTerrainLulc(
  { terrain, codes }: TerrainLulc,
  work: LayerWork<TerrainLulcParams>,
): Promise<RunOutput> {
  const { clock, job, method, params, ports, files } = work;
  const [landforms] = work.sources;
  if (landforms === undefined) throw new RangeError('the raster of landforms was not opened');
  const about = terrainLulcAbout(terrain, params);
  const codesFile = `${fileName(layerItemId(about.layer, job.slugs))}_codes.tif`;
  const paths = { codes: files.path(codesFile), landforms: landforms.path };
  const areas = await clock.step('zonal', (step) => areasOf({ codes, paths }, work, step));
  const rows = terrainLulcRows(job, terrain, areas);
  const columns = terrainLulcColumns(terrain, params);
  const style = terrainLulcStyle(terrain);
  return clock.step('publish', async () => {
    const title = 'Land cover on plains (codes 1 to 16: class + 1) and open slopes (codes 17 to 32: class + 17)';
    const file = fileAsset(ports, await files.stat(codesFile), title);
    const draft = {
      workspace: 'terrain_lulc',
      dataset: 'Terrain LULC',
      layerName: (place: string) => `${place}_lulc_${terrain}`,
      about: elevationAbout(about, { source: sourceElevation(landforms), method }),
      columns,
      rows,
      style,
      preview: `${style.title}.`,
      tables: [{ name: `terrain_lulc_${terrain}`, key: 'uid', columns, rows }],
      others: { codes: { ...file, type: MEDIA.cog, roles: ['metadata'] } as const },
    };
    return publishMws(draft, work);
  });
}

interface Summed {
  readonly codes: ScratchRaster;
  readonly paths: Readonly<Record<'codes' | 'landforms', string>>;
}

/**
 * Writes the raster of codes, and returns areas. Areas of landforms are computed on the grid of the landforms, as in
 * the terrain layer.
 */
async function areasOf(
  { codes, paths }: Summed,
  { job, ports }: Pick<LayerWork<unknown>, 'job' | 'ports'>,
  step: WorkContext,
): Promise<TerrainAreas> {
  const part = (from: number): WorkContext => ({
    signal: step.signal,
    progress: (share) => step.progress(from + share / 3),
  });
  const grid = outputGrid(job.box);
  const cog = { raster: codes, grid, clip: job.clip, palette: PALETTE, names: NAMES, path: paths.codes };
  await ports.pixels.writeCog(cog, part(0));
  const zones = mwsZones(job);
  return {
    codes: await ports.pixels.zonal({ path: paths.codes, zones }, part(1 / 3)),
    landforms: await ports.pixels.zonal({ path: paths.landforms, zones }, part(2 / 3)),
  };
}
