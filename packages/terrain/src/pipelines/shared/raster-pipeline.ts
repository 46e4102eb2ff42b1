import {
  collectionOf,
  type ComputedPlace,
  fileName,
  layerNamesOf,
  type ScratchRaster,
  type StoredFile,
  type ThumbnailRequest,
  type WriteCogRequest,
  type WrittenRaster,
} from '@headwater/core';
import type { OutputSpec } from '@headwater/core/pixel-plan';
import { assertValid, type PreviewInput, type RasterContent, rasterItem } from '@headwater/stac';
import { fileAsset, sideAssets, type SideFiles, sideFiles, THUMBNAIL_SIZE, type StyleTexts } from './assets.ts';
import { pixelMetres } from './dem-grid.ts';
import { type DemRun, demRunPipeline, type DemRunSpec, type Published } from './dem-run.ts';
import { terrainItemId, terrainMembers, type TerrainItem } from './item-members.ts';
import type { TerrainPipeline } from './request.ts';
import { runBlock } from './run-block.ts';

/** The raster that a run wrote, for what is published beside it. */
export interface MadeRaster extends DemRun {
  readonly cog: WrittenRaster;
}

/** A raster that one block function makes of heights alone. */
export interface DemLayer extends Pick<DemRunSpec, 'name' | 'summary' | 'initiated' | 'surroundings'> {
  readonly workspace: string;
  readonly dataset: string;
  /** Name of the map-server layer of a place. */
  readonly layerName: (place: string) => string;
  /** What else is published of the raster; left out: nothing. */
  readonly beside?: (made: MadeRaster) => Promise<Published>;
  /** What the Item tells; `layer` is the last part of its id. */
  readonly item: Pick<TerrainItem, 'layer' | 'title' | 'description' | 'lineage' | 'method' | 'keywords'>;
  /** Function of the block module: reads plane `heights`, writes plane `values`. */
  readonly block: string;
  readonly params: (job: ComputedPlace) => Readonly<Record<string, unknown>>;
  readonly type: OutputSpec['type'];
  readonly cog: Pick<WriteCogRequest, 'palette' | 'names' | 'nodata' | 'overviews' | 'description'>;
  readonly content: (cog: WrittenRaster) => RasterContent;
  readonly style: (layerName: string) => StyleTexts;
  /** What the preview shows where the layer's own classes do not say it. */
  readonly preview: Pick<PreviewInput, 'legend' | 'description'>;
  /** The thumbnail of a COG at a path. */
  readonly thumbnail: (file: {
    readonly path: string;
    readonly target: string;
    readonly size: number;
  }) => ThumbnailRequest;
}

/** The pipeline of such a raster. */
export function demPipeline(layer: DemLayer): TerrainPipeline {
  return demRunPipeline({
    ...layer,
    steps: [
      { name: 'compute', weight: 4 },
      { name: 'write_raster', weight: 3 },
      { name: 'publish', weight: 1 },
    ],
    make: (run) => make(layer, run),
  });
}

async function make(layer: DemLayer, run: DemRun): Promise<Published> {
  const { job, dem, files, ports, clock, work, keep } = run;
  const values = await clock.step('compute', () => compute(layer, run));
  keep(values);
  const name = fileName(terrainItemId(layer.item.layer, job.slugs));
  const cog = await clock.step('write_raster', () =>
    ports.pixels.writeCog(
      { ...layer.cog, raster: values, grid: dem.published, clip: job.clip, path: files.path(`${name}.tif`) },
      work('write_raster'),
    ),
  );
  return clock.step('publish', async () => {
    await ports.pixels.thumbnail(
      layer.thumbnail({ path: cog.path, target: files.path(`${name}.png`), size: THUMBNAIL_SIZE }),
    );
    const style = layer.style(layerNamesOf(job.slugs, layer.layerName).layerName);
    const sides = await sideFiles(name, style, files);
    const file = await files.stat(`${name}.tif`);
    const raster = publication(layer, { cog, file, sides }, run);
    return joined(raster, await layer.beside?.({ ...run, cog }));
  });
}

async function compute(layer: DemLayer, run: DemRun): Promise<ScratchRaster> {
  const outputs = [{ name: 'values', ...(layer.type === undefined ? {} : { type: layer.type }) }];
  const { outputs: made } = await runBlock({ name: layer.block, params: layer.params(run.job), outputs }, run);
  const { values } = made;
  if (values === undefined) throw new Error(`${layer.block} gave no plane of values`);
  return values;
}

interface Written {
  readonly cog: WrittenRaster;
  readonly file: StoredFile;
  readonly sides: SideFiles;
}

const joined = (raster: Published, more: Published | undefined): Published => ({
  items: [...raster.items, ...(more?.items ?? [])],
  layers: [...raster.layers, ...(more?.layers ?? [])],
  tables: more?.tables ?? [],
});

/** Item and layer, validated: throws `StacError` naming every fault rather than publish one. */
function publication(layer: DemLayer, { cog, file, sides }: Written, run: DemRun): Published {
  const { job, dem, ports, runId, note } = run;
  const { workspace } = layer;
  const names = layerNamesOf(job.slugs, layer.layerName);
  const { west, north, pixelWidth, pixelHeight, cols, rows } = cog.grid;
  const box = [west, north - rows * pixelHeight, west + cols * pixelWidth, north] as const;
  const item = rasterItem({
    ...terrainMembers({
      ...layer.item,
      description: layer.item.description + note,
      job,
      ports,
      runId,
      source: dem.elevation,
      box,
    }),
    grid: {
      code: cog.grid.crs,
      shape: [rows, cols],
      transform: [pixelWidth, 0, west, 0, -pixelHeight, north],
      gsd: Math.round(pixelMetres(cog.grid) * 10) / 10,
    },
    content: layer.content(cog),
    assets: {
      data: { href: ports.addresses.coverage(workspace, names.layerName), title: 'Raster Layer' },
      cog: fileAsset(ports, file, 'Cloud-optimized GeoTIFF'),
      ...sideAssets(ports, sides, layer.preview),
    },
  });
  assertValid({ ...item });
  const record = { workspace, ...names, datasetName: layer.dataset, layerType: 'raster' } as const;
  const keys = { tehsilId: job.place.tehsil.id, itemId: item.id, assetKey: file.key, styleKey: sides.qml.key };
  return {
    items: [{ id: item.id, collectionPath: collectionOf(job.slugs), item: { ...item } }],
    layers: [{ ...record, ...keys }],
  };
}
