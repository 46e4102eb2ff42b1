import {
  fileName,
  mwsZones,
  outputGrid,
  type OpenedLayer,
  type Rgba,
  type ScratchRaster,
  type WorkContext,
} from '@headwater/core';
import { fileAsset, rgb, type StepClock } from '@headwater/layer-kit';
import { MEDIA } from '@headwater/stac';
import { landformCodes, LANDFORMS } from '../../landforms/classes.ts';
import { type CoveredTerrain, TERRAIN_CODES } from '../../zones/land-cover-by-terrain.ts';
import type { Published } from '../shared/dem-run.ts';
import { terrainItemId } from '../shared/item-members.ts';
import { publishMws } from '../shared/mws-layer.ts';
import { toldElevation } from '../shared/told-elevation.ts';
import type { LayerTools } from '../shared/vector-layer.ts';
import type { TerrainLulcParams } from './request.ts';
import { type TerrainAreas, terrainLulcColumns, terrainLulcRows, terrainLulcStyle } from './terrain-rows.ts';
import { terrainLulcWords } from './words.ts';

/** Colour of each terrain in the raster of codes: that of its landform. */
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

/** What is published. */
export interface TerrainLulc {
  readonly asked: TerrainLulcParams;
  readonly terrain: CoveredTerrain;
  readonly codes: ScratchRaster;
  readonly landforms: OpenedLayer;
  readonly years: readonly OpenedLayer[];
}

/** What publishing it may use; `work` reports on step `zonal`. */
export interface PublishTools extends LayerTools {
  readonly clock: StepClock;
  readonly work: WorkContext;
}

/** Sums the codes per micro-watershed, and writes the layer with its sheet; the raster of codes lies beside it. */
export async function publishTerrainLulc(found: TerrainLulc, tools: PublishTools): Promise<Published> {
  const { terrain, landforms, years, asked } = found;
  const { clock, job, ports, files } = tools;
  const words = terrainLulcWords(terrain, asked);
  const codesFile = `${fileName(terrainItemId(words.layer, job.slugs))}_codes.tif`;
  const areas = await clock.step('zonal', () => areasOf(found, { ...tools, path: files.path(codesFile) }));
  const rows = terrainLulcRows(job, terrain, areas);
  const columns = terrainLulcColumns(terrain, asked);
  const style = terrainLulcStyle(terrain);
  return clock.step('publish', async () => {
    const title = 'Land cover on plains (codes 1 to 16: class + 1) and open slopes (codes 17 to 32: class + 17)';
    const codes = {
      ...fileAsset(ports, await files.stat(codesFile), title),
      type: MEDIA.cog,
      roles: ['metadata'],
    } as const;
    const draft = {
      workspace: 'terrain_lulc',
      dataset: 'Terrain LULC',
      layerName: (place: string) => `${place}_lulc_${terrain}`,
      item: { ...words, source: toldElevation(landforms), sources: [landforms, ...years] },
      columns,
      rows,
      style,
      preview: `${style.title}.`,
      sheet: { name: `terrain_lulc_${terrain}`, columns, rows },
      others: { codes },
    };
    return publishMws(draft, tools);
  });
}

/** Hectares per micro-watershed: of the codes, and of the landforms on their own grid, as the terrain layer counts them. */
async function areasOf(
  { codes, landforms }: TerrainLulc,
  { job, ports, path, work }: PublishTools & { readonly path: string },
): Promise<TerrainAreas> {
  const part = (from: number): WorkContext => ({
    signal: work.signal,
    progress: (share) => work.progress(from + share / 3),
  });
  const cog = { raster: codes, grid: outputGrid(job.box), clip: job.clip, palette: PALETTE, names: NAMES, path };
  await ports.pixels.writeCog(cog, part(0));
  const zones = mwsZones(job);
  return {
    codes: await ports.pixels.zonal({ path, zones }, part(1 / 3)),
    landforms: await ports.pixels.zonal({ path: landforms.path, zones }, part(2 / 3)),
  };
}
