import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetStore, EarthObservation, ElevationSource } from '@headwater/core';
import type { ComputeParts } from '@headwater/http-service';
import { createDirectoryAssets, type ElevationOptions, openElevation, openScenes } from '@headwater/ingest';
import { createPixelEngine, type PixelEngineOptions } from '@headwater/raster';
import type { StacApi } from './config/computing.ts';
import { scratchFolder } from './scratch-folder.ts';
import { assetsFolder } from './join-servers.ts';

/** Inputs and folders of `localCompute`; only `dataDir` is required. */
export interface LocalComputeOptions {
  /**
   * Folder of the data: scenes in `eo/`, elevations in `dem/`, published files in `assets/`, scratch files in
   * `scratch/`.
   */
  readonly dataDir: string;
  /**
   * STAC API of Sentinel-2 scenes in addition to the catalogues in `eo/`, or a source that replaces them. Default: only
   * the catalogues.
   */
  readonly scenes?: StacApi | EarthObservation | undefined;
  /** STAC API of elevations for places that `dem/` does not cover. */
  readonly elevations?: StacApi | undefined;
  /** Origins that may have private addresses, in addition to the origins of the STAC APIs. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** True: worker threads report their outgoing requests to `watchOutgoing`. */
  readonly sharesRequests?: boolean | undefined;
  /** Worker threads; default: one per core, at most 4. */
  readonly threads?: number | undefined;
  /**
   * Maximum size of the blocks of remote files in `scratch/blocks`, bytes. All processes with one `dataDir` need the
   * same size. 0: stored blocks are removed. Default: no cache.
   */
  readonly sceneCacheBytes?: number | undefined;
  /** Free bytes of the disk below which blocks are removed instead of stored. Default: 2 GB. */
  readonly sceneCacheMinFreeBytes?: number | undefined;
  /** Folder of scratch files; default: a folder of this process in `scratch/`. */
  readonly scratchDir?: string | undefined;
  readonly assets?: AssetStore | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * Creates the `compute` option of `createHeadwater`: scenes, elevations, pixels in worker threads, and published files.
 * The threads end when the service closes.
 *
 *     createHeadwater({ baseUrl, secret, pipelines, compute: await localCompute({ dataDir: 'data' }) })
 */
export async function localCompute(
  options: LocalComputeOptions,
): Promise<Required<Omit<ComputeParts, 'sceneEngines'>>> {
  const { dataDir, scenes, elevations, threads, warn = () => {} } = options;
  const apis = [scenes, elevations].flatMap((api) => (isApi(api) ? [new URL(api.url).origin] : []));
  const allowedOrigins = [...apis, ...(options.allowedOrigins ?? [])];
  const scratchDir = options.scratchDir ?? (await scratchFolder(join(dataDir, 'scratch'), { exclusive: false }));
  const pixels = createPixelEngine({
    scratchDir,
    network: { allowedOrigins, sharesRequests: options.sharesRequests === true },
    blocks: blocksOf(options),
    ...(threads === undefined ? {} : { threads }),
  });
  return {
    earthObservation:
      isApi(scenes) || scenes === undefined ? scenesOf({ dataDir, eoStacApi: scenes, allowedOrigins }) : scenes,
    elevation: elevationOf({ dataDir, demStacApi: elevations, allowedOrigins }, { pixels, warn }),
    pixels,
    assets: options.assets ?? createDirectoryAssets(assetsFolder(dataDir)),
  };
}

function blocksOf(options: LocalComputeOptions): PixelEngineOptions['blocks'] {
  const { dataDir, sceneCacheBytes: maxBytes, sceneCacheMinFreeBytes: minFreeBytes } = options;
  const folder = join(dataDir, 'scratch', 'blocks');
  // Without a cache, the blocks are not used. An error of their removal is ignored, because they do no harm.
  if (maxBytes === 0) void rm(folder, { recursive: true, force: true }).catch(() => {});
  if (maxBytes === undefined || maxBytes === 0) return undefined;
  return { folder, maxBytes, ...(minFreeBytes !== undefined && { minFreeBytes }) };
}

const isApi = (source: StacApi | EarthObservation | undefined): source is StacApi =>
  source !== undefined && 'url' in source;

interface Sources {
  readonly dataDir: string;
  readonly allowedOrigins: readonly string[];
}

/** Scenes of a STAC API and of the catalogues in `DATA_DIR/eo`. */
export function scenesOf({
  dataDir,
  eoStacApi,
  allowedOrigins,
}: Sources & { readonly eoStacApi: StacApi | undefined }): EarthObservation {
  const api = eoStacApi === undefined ? {} : { api: { url: eoStacApi.url, collections: [eoStacApi.collection] } };
  return openScenes({ folder: join(dataDir, 'eo'), network: { settings: { allowedOrigins } }, ...api });
}

/** Elevations of a STAC API and of the files in `DATA_DIR/dem`. */
export function elevationOf(
  { dataDir, demStacApi, allowedOrigins }: Sources & { readonly demStacApi: StacApi | undefined },
  tools: Pick<ElevationOptions, 'pixels' | 'warn'>,
): ElevationSource {
  const network = { settings: { allowedOrigins } };
  return openElevation({ folder: join(dataDir, 'dem'), api: demStacApi, network, ...tools });
}
