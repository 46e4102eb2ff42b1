import { publicAddress } from '@headwater/core/errors';
import type { NetworkSettings } from '@headwater/net';
import type { HeaderWork, SceneHeaders, WantedFiles } from './header-worker.ts';
import { workerUrl } from '@headwater/net/files';
import { WorkerPool } from './workers/pool.ts';

/** A parser that works on for so long without a pause does not end; headers take a millisecond. */
const BUSY_MS = 10_000;

/** What reading headers needs. */
export interface HeaderTools {
  readonly signal: AbortSignal;
  /** How long servers are waited for. */
  readonly network: Partial<NetworkSettings>;
  /** Told what is waited for, null when the work goes on. */
  readonly onWait: (note: string | null) => void;
}

/** The thread that read headers was lost over them. */
class LostThread extends Error {
  override readonly name = 'LostThread';
}

/** Reads headers in a thread of its own: what a file does to its parser happens there. `close` must be called. */
export class HeaderReader {
  readonly #pool: WorkerPool<readonly WantedFiles[], readonly SceneHeaders[]>;

  constructor({ signal, network, onWait }: HeaderTools) {
    const workerData: HeaderWork = { network };
    this.#pool = new WorkerPool({
      url: workerUrl('./header-worker', import.meta.url),
      workerData,
      threads: 1,
      signal,
      onNote: onWait,
      guard: { busyMs: BUSY_MS, blame: (_, why) => new LostThread(why) },
    });
  }

  /** Headers of some scenes at once; where their thread is lost, of one after the other, to find out over which. */
  async read(scenes: readonly WantedFiles[]): Promise<readonly SceneHeaders[]> {
    try {
      return await this.#pool.run(scenes);
    } catch (error) {
      if (!(error instanceof LostThread)) throw error;
      const [only] = scenes;
      if (scenes.length === 1 && only !== undefined) return [blamed(only, error)];
    }
    const found: SceneHeaders[] = [];
    for (const scene of scenes) found.push(...(await this.read([scene])));
    return found;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function blamed(files: WantedFiles, { message }: LostThread): SceneHeaders {
  const names = [...files.values()].map(({ href }) => publicAddress(href)).join(', ');
  return {
    reason: `one of ${names}: its TIFF headers cannot be read (${message}); it is damaged, fetch it again`,
    code: 'input_data',
  };
}
