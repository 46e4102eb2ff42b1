import { DomainError, isDomainError } from '@headwater/core/errors';
import { createKernels } from '../pixels/kernels.ts';
import type { Remote } from '../remote/remote.ts';
import { decodedBytes } from '../tiff/layout.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { openLayout } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { TileDecoder } from '../tiff/tile-decoder.ts';
import type { BrokenScene, SceneTrouble } from './plan-tasks.ts';
import type { PreparedBand, PreparedScene } from './prepared.ts';

/** Maximum number of open files of a worker. A year has hundreds of files, and a process may open about a thousand. */
const OPEN_FILES = 64;

/** Open files of one worker. Closes the least recently used file if too many are open. */
export class SceneFiles {
  readonly decoder: TileDecoder;
  readonly #remote: Remote;
  readonly #open = new Map<string, RasterFile>();

  constructor(scenes: readonly PreparedScene[], remote: Remote) {
    this.#remote = remote;
    this.decoder = new TileDecoder(createKernels());
    // Reserves memory now, because memory that is allocated during a section is freed after the section.
    this.decoder.reserve(largestTile(scenes));
  }

  /** Returns the file of a band. Pixels outside of the file are read as the nodata value of the band. */
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

  /**
   * Opens a file. Checks each time that it is in a folder of `within`, because a link may replace the file during a
   * run.
   */
  #openFile(layout: TiffLayout, within: PreparedBand['within']): RasterFile {
    return openLayout(layout, this.decoder, { ...this.#remote, within });
  }
}

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

/** Error in a worker if a file of a scene is broken or unavailable. */
export class SceneFailure extends Error {
  override readonly name = 'SceneFailure';
  readonly sceneId: string;
  readonly code: SceneTrouble;
  constructor(sceneId: string, { code, reason }: { readonly code: SceneTrouble; readonly reason: string }) {
    super(reason);
    this.sceneId = sceneId;
    this.code = code;
  }

  reply(): BrokenScene {
    return { kind: 'broken', sceneId: this.sceneId, reason: this.message, code: this.code };
  }
}

/** Reason and kind of an error that affects only one scene; undefined for any other error. */
export function sceneTrouble(error: unknown): { readonly reason: string; readonly code: SceneTrouble } | undefined {
  if (!isDomainError(error)) return undefined;
  const { code, message: reason, details } = error;
  if (code === 'unavailable') return { reason, code: details['isUnresolved'] === true ? 'unresolved' : code };
  return code === 'input_data' ? { reason, code } : undefined;
}

/** Creates an error from the result of `sceneTrouble`. */
export function troubleError({ reason, code }: NonNullable<ReturnType<typeof sceneTrouble>>): DomainError {
  if (code === 'unresolved') return new DomainError('unavailable', reason, { details: { isUnresolved: true } });
  return new DomainError(code, reason);
}

/** Runs a read of one scene. Throws `SceneFailure` for a broken or unavailable file, and other errors unchanged. */
export async function readingScene<T>(scene: PreparedScene, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const trouble = sceneTrouble(error);
    throw trouble === undefined ? error : new SceneFailure(scene.id, trouble);
  }
}
