import { isDomainError } from '@headwater/core/errors';
import type { DomainError } from '@headwater/core/errors';
import { createKernels } from '../pixels/kernels.ts';
import type { Network } from '@headwater/net';
import { decodedBytes } from '../tiff/layout.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { openLayout } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { TileDecoder } from '../tiff/tile-decoder.ts';
import type { BrokenScene, SceneTrouble } from './plan-tasks.ts';
import type { PreparedBand, PreparedScene } from './prepared.ts';

/** Maximum number of open files of one worker: a year has hundreds, a process may open about a thousand. */
const OPEN_FILES = 64;

/** Files of one worker, opened from known layouts; the least recently used one is closed first. */
export class SceneFiles {
  readonly decoder: TileDecoder;
  readonly #network: Network;
  readonly #open = new Map<string, RasterFile>();

  constructor(scenes: readonly PreparedScene[], network: Network) {
    this.#network = network;
    this.decoder = new TileDecoder(createKernels());
    // The decoder's memory is allocated first, because memory allocated later is freed section by section.
    this.decoder.reserve(largestTile(scenes));
  }

  /** The band's file; pixels outside of it read as the band's own nodata value. */
  get({ layout, nodata, within }: Pick<PreparedBand, 'layout' | 'nodata' | 'within'>): RasterFile {
    const key = `${nodata} ${layout.href}`;
    const file = this.#open.get(key) ?? this.#openFile({ ...layout, nodata }, within);
    this.#open.delete(key);
    this.#open.set(key, file);
    const [oldest] = this.#open;
    if (this.#open.size > OPEN_FILES && oldest !== undefined) {
      oldest[1].close();
      this.#open.delete(oldest[0]);
    }
    return file;
  }

  /** Opens the file and checks its folder each time: during a run of minutes, a file may be replaced by a link. */
  #openFile(layout: TiffLayout, within: PreparedBand['within']): RasterFile {
    return openLayout(layout, this.decoder, { network: this.#network, within });
  }
}

/** Bytes of the largest decoded tile of all bands. */
function largestTile(scenes: readonly PreparedScene[]): number {
  let largest = 0;
  for (const { bands, mask } of scenes) {
    for (const { layout } of [...Object.values(bands), ...(mask === null ? [] : [mask])]) {
      const [level] = layout.levels;
      if (level === undefined) continue;
      largest = Math.max(largest, decodedBytes(level, layout.dtype));
    }
  }
  return largest;
}

/** Error of a worker if a file proves broken or its server does not respond: the scene is to be left out. */
export class SceneFailure extends Error {
  override readonly name = 'SceneFailure';
  readonly sceneId: string;
  readonly code: SceneTrouble;
  constructor(sceneId: string, { code, message }: { readonly code: SceneTrouble; readonly message: string }) {
    super(message);
    this.sceneId = sceneId;
    this.code = code;
  }

  /** The failure as a reply. */
  reply(): BrokenScene {
    return { kind: 'broken', sceneId: this.sceneId, reason: this.message, code: this.code };
  }
}

/** True for an error that excludes one scene, not the whole plan. */
export function isSceneTrouble(error: unknown): error is DomainError & { readonly code: SceneTrouble } {
  return isDomainError(error) && (error.code === 'input_data' || error.code === 'unavailable');
}

/** Runs a read of one scene; a broken or unreachable file becomes a `SceneFailure`, other errors are not changed. */
export async function readingScene<T>(scene: PreparedScene, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isSceneTrouble(error)) throw new SceneFailure(scene.id, error);
    throw error;
  }
}
