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

/** Files that one worker keeps open at most: a year has hundreds, a process may open about a thousand. */
const OPEN_FILES = 64;

/** The files of one worker, opened from their known layouts, least recently used closed first. */
export class SceneFiles {
  readonly decoder: TileDecoder;
  readonly #network: Network;
  readonly #open = new Map<string, RasterFile>();

  constructor(scenes: readonly PreparedScene[], network: Network) {
    this.#network = network;
    this.decoder = new TileDecoder(createKernels());
    // All decoding room is taken first: what is allocated later is given back section by section.
    this.decoder.reserve(largestTile(scenes));
  }

  /** The band's file; pixels beyond its edge read as the band's own nodata value. */
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

  /** Where it lies is looked at each time: a run takes minutes, in which a file may become a link. */
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

/** Thrown by a worker when a file breaks or its server stays away while it is read: the scene is to be left out. */
export class SceneFailure extends Error {
  override readonly name = 'SceneFailure';
  readonly sceneId: string;
  readonly code: SceneTrouble;
  constructor(sceneId: string, { code, message }: { readonly code: SceneTrouble; readonly message: string }) {
    super(message);
    this.sceneId = sceneId;
    this.code = code;
  }

  /** The failure as an answer. */
  reply(): BrokenScene {
    return { kind: 'broken', sceneId: this.sceneId, reason: this.message, code: this.code };
  }
}

/** True for an error that costs one scene, not the plan. */
export function isSceneTrouble(error: unknown): error is DomainError & { readonly code: SceneTrouble } {
  return isDomainError(error) && (error.code === 'input_data' || error.code === 'unavailable');
}

/** Runs a read of one scene; a broken or unreachable file becomes a `SceneFailure`, anything else stays what it is. */
export async function readingScene<T>(scene: PreparedScene, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isSceneTrouble(error)) throw new SceneFailure(scene.id, error);
    throw error;
  }
}
