import {
  fileName,
  rasterQml,
  rasterSld,
  rgb,
  vectorQml,
  vectorSld,
  type StoredFile,
  type VectorStyle,
  type ZonalAreas,
} from '@headwater/core';
import { lulcPalette } from '../classes/classes.ts';
import { levelStyle, type LulcLevel } from '../classes/levels.ts';
import type { LulcJob } from '../run/job.ts';
import { rasterItemId, rasterLayer, vectorItemId, vectorLayer } from '../run/names.ts';
import type { WriteTools, YearRaster } from '../run/rasters.ts';
import type { SideFiles, StyleFiles } from './item-assets.ts';
import { mwsLayer, mwsStyle } from './mws-layer.ts';
import { mwsPreview, type MwsPreview } from './mws-preview.ts';

/** Long side of previews, pixels. */
const THUMBNAIL_SIZE = 512;
const OUTLINE = [35, 35, 35, 255] as const;

/** The vector's files and how it is drawn. */
export interface VectorFiles {
  readonly geojson: StoredFile;
  readonly style: VectorStyle;
  readonly layer: ReturnType<typeof mwsLayer>;
  /** How its preview is drawn. */
  readonly preview: MwsPreview;
}

/** Writes the per-MWS GeoJSON; undefined, with a line in the log, where the tehsil has no MWS. */
export async function writeVector(
  job: LulcJob,
  areas: ReadonlyMap<number, ZonalAreas>,
  { files, context }: WriteTools,
): Promise<VectorFiles | undefined> {
  if (job.mws.length === 0) {
    context.log(`${job.place.tehsil.name} has no micro-watersheds: rasters only, no areas per micro-watershed`);
    return undefined;
  }
  const layer = mwsLayer(job.mws, areas);
  const geojson = await files.write(`${fileName(vectorItemId(job.slugs))}.geojson`, JSON.stringify(layer));
  const lastYear = job.years.at(-1) ?? 0;
  return { geojson, layer, style: mwsStyle(layer, lastYear), preview: mwsPreview(layer, lastYear) };
}

/** Style files of every layer; of rasters those of all levels. */
export async function writeStyles(
  job: LulcJob,
  vector: VectorFiles | undefined,
  { files }: WriteTools,
): Promise<readonly Omit<SideFiles, 'png'>[]> {
  const write = async (name: string, qml: string, sld: string): Promise<StyleFiles> => ({
    qml: await files.write(`${name}.qml`, qml),
    sld: await files.write(`${name}.sld`, sld),
  });
  const level = (year: number, each: LulcLevel): Promise<StyleFiles> => {
    const classes = levelStyle(each);
    const { layerName } = rasterLayer(job.slugs, year, each);
    const sld = rasterSld(layerName, `Land use and land cover ${year}-${year + 1}`, classes);
    const name = fileName(rasterItemId(job.slugs, year));
    return write(each === 3 ? name : `${name}_level_${each}`, rasterQml(classes), sld);
  };
  const written: Omit<SideFiles, 'png'>[] = [];
  for (const year of job.years) {
    written.push({ ...(await level(year, 3)), levels: { 1: await level(year, 1), 2: await level(year, 2) } });
  }
  if (vector === undefined) return written;
  const sld = vectorSld(vectorLayer(job.slugs).layerName, vector.style);
  written.push(await write(fileName(vectorItemId(job.slugs)), vectorQml(vector.style), sld));
  return written;
}

/** Previews of every layer, rasters first, the vector last. */
export async function writeThumbnails(
  job: LulcJob,
  made: { readonly rasters: readonly YearRaster[]; readonly vector: VectorFiles | undefined },
  tools: WriteTools,
): Promise<readonly StoredFile[]> {
  const { ports, files, context } = tools;
  const written: StoredFile[] = [];
  for (const { result, cog } of made.rasters) {
    const name = `${fileName(rasterItemId(job.slugs, result.year))}.png`;
    await ports.pixels.thumbnail({
      path: cog.path,
      palette: lulcPalette(),
      size: THUMBNAIL_SIZE,
      target: files.path(name),
    });
    written.push(await files.stat(name));
    context.progress('thumbnails', written.length / (made.rasters.length + 1));
  }
  if (made.vector === undefined) return written;
  const { layer, preview } = made.vector;
  const zones = layer.features.map(({ geometry }, index) => ({
    geometry,
    fill: [...rgb(preview.colors[index] ?? ''), 255] as const,
  }));
  const name = `${fileName(vectorItemId(job.slugs))}.png`;
  await ports.pixels.zoneThumbnail({ zones, outline: OUTLINE, size: THUMBNAIL_SIZE, target: files.path(name) });
  return [...written, await files.stat(name)];
}
