import { assertValid, checkColumns, describeFinding } from '@headwater/stac';
import { type Deliverable, DomainError, type StoredFile, type ZonalAreas } from '@headwater/core';
import { rasterQml, vectorQml, type VectorStyle } from '../styles/qml.ts';
import { rasterSld, vectorSld } from '../styles/sld.ts';
import type { StyleClass } from '../styles/style-class.ts';
import { displayColor, LULC_CLASSES, lulcPalette, rgb } from '../classes/classes.ts';
import { stepWork } from '../run/composites.ts';
import { rasterItemOf, vectorItemOf, type ItemTools, type SideFiles } from './items.ts';
import type { LulcJob } from '../run/job.ts';
import {
  collectionOf,
  RASTER_WORKSPACE,
  rasterItemId,
  rasterLayer,
  VECTOR_DATASET,
  VECTOR_WORKSPACE,
  vectorItemId,
  vectorLayer,
} from '../run/names.ts';
import type { WriteTools, YearRaster } from '../run/rasters.ts';
import { mwsLayer, mwsStyle, styleColor } from './mws-layer.ts';

/** Long side of previews, pixels. */
const THUMBNAIL_SIZE = 512;
const OUTLINE = [35, 35, 35, 255] as const;

/** The vector's files and how it is drawn. */
export interface VectorFiles {
  readonly geojson: StoredFile;
  readonly style: VectorStyle;
  readonly layer: ReturnType<typeof mwsLayer>;
}

/** Class areas per MWS of each year, in hectares. */
export async function zonalYears(
  job: LulcJob,
  rasters: readonly YearRaster[],
  { ports, context }: WriteTools,
): Promise<ReadonlyMap<number, ZonalAreas>> {
  const zones = job.mws.map((m) => ({ id: m.uid, geometry: m.geometry }));
  const areas = new Map<number, ZonalAreas>();
  for (const [index, { result, cog }] of rasters.entries()) {
    areas.set(
      result.year,
      await ports.pixels.zonal({ path: cog.path, zones }, stepWork(context, 'zonal', { index, of: rasters.length })),
    );
  }
  return areas;
}

/** Writes the per-MWS GeoJSON. */
export async function writeVector(
  job: LulcJob,
  areas: ReadonlyMap<number, ZonalAreas>,
  { files }: WriteTools,
): Promise<VectorFiles> {
  const layer = mwsLayer(job.mws, areas);
  const geojson = await files.write(`${vectorItemId(job.slugs)}.geojson`, JSON.stringify(layer));
  return { geojson, layer, style: mwsStyle(layer, job.years.at(-1) ?? 0) };
}

/** Style files of every layer. */
export async function writeStyles(
  job: LulcJob,
  vector: VectorFiles,
  { files }: WriteTools,
): Promise<readonly Omit<SideFiles, 'png'>[]> {
  const classes = LULC_CLASSES.filter((c) => c.code !== 5).map((c): StyleClass => ({
    value: c.code,
    label: c.title,
    color: displayColor(c),
    alpha: c.code === 0 ? 0 : 255,
  }));
  const write = async (id: string, qml: string, sld: string) => ({
    qml: await files.write(`${id}.qml`, qml),
    sld: await files.write(`${id}.sld`, sld),
  });
  const written = [];
  for (const year of job.years) {
    const sld = rasterSld(rasterLayer(job.slugs, year), `Land use and land cover ${year}-${year + 1}`, classes);
    written.push(await write(rasterItemId(job.slugs, year), rasterQml(classes), sld));
  }
  written.push(
    await write(vectorItemId(job.slugs), vectorQml(vector.style), vectorSld(vectorLayer(job.slugs), vector.style)),
  );
  return written;
}

/** Previews of every layer, rasters first, the vector last. */
export async function writeThumbnails(
  job: LulcJob,
  made: { readonly rasters: readonly YearRaster[]; readonly vector: VectorFiles },
  tools: WriteTools,
): Promise<readonly StoredFile[]> {
  const { ports, files, context } = tools;
  const written: StoredFile[] = [];
  for (const { result, cog } of made.rasters) {
    const name = `${rasterItemId(job.slugs, result.year)}.png`;
    await ports.pixels.thumbnail({
      path: cog.path,
      palette: lulcPalette(),
      size: THUMBNAIL_SIZE,
      target: files.path(name),
    });
    written.push(await files.stat(name));
    context.progress('thumbnails', written.length / (made.rasters.length + 1));
  }
  const { layer, style } = made.vector;
  const zones = layer.features.map((f) => ({
    geometry: f.geometry,
    fill: [...rgb(styleColor(style, Number(f.properties[style.attribute] ?? 0))), 255] as const,
  }));
  const name = `${vectorItemId(job.slugs)}.png`;
  await ports.pixels.zoneThumbnail({ zones, outline: OUTLINE, size: THUMBNAIL_SIZE, target: files.path(name) });
  return [...written, await files.stat(name)];
}

/** Everything made, to be published. `sides`: style files and previews, rasters first, the vector last. */
export interface Made {
  readonly rasters: readonly YearRaster[];
  readonly vector: VectorFiles;
  readonly sides: readonly SideFiles[];
}

/** Items and layer records of the run, validated: throws `StacError` naming every fault rather than publish one. */
export function deliverable({ rasters, vector, sides }: Made, tools: ItemTools): Omit<Deliverable, 'timings'> {
  const { job } = tools;
  const collectionPath = collectionOf(job.slugs);
  const tehsilId = job.place.tehsil.id;
  const published = rasters.map((year, i) => {
    const side = sideAt(sides, i);
    const item = rasterItemOf(year, side, tools);
    const layer = rasterLayer(job.slugs, year.result.year);
    return {
      item: { id: item.id, collectionPath, item: { ...item } },
      layer: {
        workspace: RASTER_WORKSPACE,
        layerName: layer,
        datasetName: RASTER_WORKSPACE,
        layerType: 'raster',
        tehsilId,
        itemId: item.id,
        assetKey: year.cogFile.key,
        styleKey: side.qml.key,
      } as const,
    };
  });
  const side = sideAt(sides, rasters.length);
  const item = vectorItemOf(rasters, { ...side, geojson: vector.geojson }, tools);
  const last = {
    item: { id: item.id, collectionPath, item: { ...item } },
    layer: {
      workspace: VECTOR_WORKSPACE,
      layerName: vectorLayer(job.slugs),
      datasetName: VECTOR_DATASET,
      layerType: 'vector',
      tehsilId,
      itemId: item.id,
      assetKey: vector.geojson.key,
      styleKey: side.qml.key,
    } as const,
  };
  const all = [...published, last];
  for (const { item: made } of all) assertValid(made.item);
  const faults = checkColumns(item, vector.layer.features);
  if (faults.length > 0)
    throw new DomainError(
      'internal',
      `table:columns and the GeoJSON differ: ${faults.map(describeFinding).join('; ')}`,
    );
  return { items: all.map((p) => p.item), layers: all.map((p) => p.layer) };
}

function sideAt(sides: readonly SideFiles[], index: number): SideFiles {
  const side = sides[index];
  if (side === undefined) throw new RangeError(`style files of layer ${index} were not written`);
  return side;
}
