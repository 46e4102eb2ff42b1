import { publicAddress } from '@headwater/core/errors';
import type { OnWait } from '@headwater/net';
import type { RemoteSettings } from '../remote/remote.ts';
import type { HeaderWork, SceneHeaders, HeaderFiles } from './header-worker.ts';
import { workerUrl } from '@headwater/net/files';
import { WorkerPool } from './workers/pool.ts';
import type { SpareThreads } from './workers/spare-threads.ts';

const BUSY_MS = 10_000;

/** Options for reading headers. */
export interface HeaderTools {
  readonly signal: AbortSignal;
  readonly network: RemoteSettings;
  /** Called with a note on what the work waits for, and with null when the work continues. */
  readonly onWait: OnWait;
  /** Threads that continue to run between calls, as in `ExecuteTools.spare`. */
  readonly spare?: SpareThreads | undefined;
}

class LostThread extends Error {
  override readonly name = 'LostThread';
}

/**
 * Reads headers in a separate thread, so that a hostile file affects only this thread. The caller must call `close`.
 */
export class HeaderReader {
  readonly #pool: WorkerPool<readonly HeaderFiles[], readonly SceneHeaders[]>;

  constructor({ signal, network, onWait, spare }: HeaderTools) {
    const workerData: HeaderWork = { network };
    this.#pool = new WorkerPool({
      url: workerUrl('./header-worker', import.meta.url, '@headwater/raster'),
      workerData,
      threads: 1,
      signal,
      onNote: onWait,
      spare,
      guard: { busyMs: BUSY_MS, blame: (_, why) => new LostThread(why) },
    });
  }

  /**
   * Reads the headers of several scenes together. If the thread ends, reads the scenes one by one to find the one that
   * ended it.
   */
  async read(scenes: readonly HeaderFiles[]): Promise<readonly SceneHeaders[]> {
    try {
      return await this.#pool.run(scenes);
    } catch (error) {
      if (!(error instanceof LostThread)) throw error;
      const [only] = scenes;
      if (scenes.length === 1 && only !== undefined) return [unreadable(only, error)];
    }
    const found: SceneHeaders[] = [];
    for (const scene of scenes) found.push(...(await this.read([scene])));
    return found;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function unreadable(files: HeaderFiles, { message }: LostThread): SceneHeaders {
  const names = [...files.values()].map(({ href }) => publicAddress(href)).join(', ');
  return {
    reason: `one of ${names}: its TIFF headers cannot be read (${message}). The file is damaged: find it with gdalinfo, and download it again`,
    code: 'input_data',
  };
}
