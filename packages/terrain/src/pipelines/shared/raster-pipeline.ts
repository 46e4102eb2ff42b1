import {
  collectionOf,
  type ComputedPlace,
  createStepClock,
  type Deliverable,
  type Elevation,
  fileName,
  inputsOfNeeds,
  layerNamesOf,
  loadPlace,
  openFiles,
  type PipelineContext,
  type PipelinePorts,
  type ScratchRaster,
  type StoredFile,
  type ThumbnailRequest,
  type WorkContext,
  type WriteCogRequest,
  type WrittenRaster,
} from '@headwater/core';
import type { OutputSpec } from '@headwater/core/pixel-plan';
import { assertValid, type PreviewInput, type RasterContent, rasterItem } from '@headwater/stac';
import { fileAsset, sideAssets, type SideFiles, sideFiles, THUMBNAIL_SIZE, type StyleTexts } from './assets.ts';
import { pixelMetres } from './dem-grid.ts';
import { terrainItemId, terrainMembers, type TerrainItem } from './item-members.ts';
import { type DemRead, readDem } from './read-dem.ts';
import { demNeeds, terrainBasics, type TerrainParams, type TerrainPipeline } from './request.ts';

/** Module of the block functions, as workers import it. */
export const BLOCKS = '@headwater/terrain/blocks';

/** A raster that one block function makes of heights alone. */
export interface DemLayer {
  /** Route and name of the pipeline. */
  readonly name: string;
  readonly summary: string;
  readonly initiated: string;
  readonly workspace: string;
  readonly dataset: string;
  /** Name of the map-server layer of a place. */
  readonly layerName: (place: string) => string;
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
  const finished = `${layer.name} finished`;
  return {
    ...terrainBasics(layer.name, layer.item.method),
    summary: layer.summary,
    messages: { initiated: layer.initiated, finished },
    needs: demNeeds,
    inputs: async (params, ports) =>
      inputsOfNeeds(await loadPlace(params.tehsilId, ports), await demNeeds(params, ports), ports),
    steps: [
      { name: 'read_elevation', weight: 4 },
      { name: 'compute', weight: 4 },
      { name: 'write_raster', weight: 3 },
      { name: 'publish', weight: 1 },
    ],
    execute: (params, ports, context) => execute(params, { layer, ports, context }),
  };
}

interface Tools {
  readonly layer: DemLayer;
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
}

async function execute(params: TerrainParams, tools: Tools): Promise<Deliverable> {
  const scratch: ScratchRaster[] = [];
  try {
    return await run(params, { ...tools, keep: (raster) => void scratch.push(raster) });
  } finally {
    await tools.ports.pixels.release(scratch);
  }
}

async function run(
  params: TerrainParams,
  { layer, ports, context, keep }: Tools & { readonly keep: (raster: ScratchRaster) => void },
): Promise<Deliverable> {
  const clock = createStepClock(ports, context);
  const job = await loadPlace(params.tehsilId, ports);
  // Before the files are opened: a version that comes meanwhile differs from what is told.
  const inputs = await inputsOfNeeds(job, await demNeeds(params, ports), ports);
  const work = (step: string): WorkContext => ({
    signal: context.signal,
    progress: (share, note) => context.progress(step, share, note),
  });
  const dem = await clock.step('read_elevation', () => readDem(job.box, { ports, work: work('read_elevation') }));
  keep(dem.heights);
  context.log(
    `${layer.item.title} of ${job.place.tehsil.name} from ${dem.elevation.title}, method ${layer.item.method}`,
  );
  const values = await clock.step('compute', () => compute(job, dem, { layer, ports, work: work('compute') }));
  keep(values);
  const files = await openFiles(ports, context.run);
  const name = fileName(terrainItemId(layer.item.layer, job.slugs));
  const cog = await clock.step('write_raster', () =>
    ports.pixels.writeCog(
      { ...layer.cog, raster: values, grid: dem.published, clip: job.clip, path: files.path(`${name}.tif`) },
      work('write_raster'),
    ),
  );
  const made = await clock.step('publish', async () => {
    await ports.pixels.thumbnail(
      layer.thumbnail({ path: cog.path, target: files.path(`${name}.png`), size: THUMBNAIL_SIZE }),
    );
    const style = layer.style(layerNamesOf(job.slugs, layer.layerName).layerName);
    const sides = await sideFiles(name, style, files);
    const file = await files.stat(`${name}.tif`);
    return publication(job, { cog, file, sides, elevation: dem.elevation }, { layer, ports, context });
  });
  return { ...made, timings: clock.seconds(), inputs };
}

async function compute(
  job: ComputedPlace,
  { heights }: DemRead,
  { layer, ports, work }: Pick<Tools, 'layer' | 'ports'> & { readonly work: WorkContext },
): Promise<ScratchRaster> {
  const { grid } = heights;
  const block = { module: BLOCKS, export: layer.block, params: layer.params(job) };
  const outputs = [{ name: 'values', ...(layer.type === undefined ? {} : { type: layer.type }) }];
  const { outputs: made } = await ports.pixels.whole(
    { kind: 'whole', grid, inputs: { heights }, block, outputs },
    work,
  );
  const { values } = made;
  if (values === undefined) throw new Error(`${layer.block} gave no plane of values`);
  return values;
}

interface Written {
  readonly cog: WrittenRaster;
  readonly file: StoredFile;
  readonly sides: SideFiles;
  readonly elevation: Elevation;
}

/** Item and layer, validated: throws `StacError` naming every fault rather than publish one. */
function publication(
  job: ComputedPlace,
  { cog, file, sides, elevation }: Written,
  { layer, ports, context }: Tools,
): Pick<Deliverable, 'items' | 'layers'> {
  const { workspace } = layer;
  const names = layerNamesOf(job.slugs, layer.layerName);
  const { west, north, pixelWidth, pixelHeight, cols, rows } = cog.grid;
  const box = [west, north - rows * pixelHeight, west + cols * pixelWidth, north] as const;
  const item = rasterItem({
    ...terrainMembers({ ...layer.item, job, ports, runId: context.run.id, source: elevation, box }),
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
