import type { PGliteOptions } from '@electric-sql/pglite';
import { PGlite } from '@electric-sql/pglite';

/** Frontend messages of the extended protocol that leave a conversation open: Parse, Bind, Describe, Execute, Close, Flush. */
const OPENS = new Set([...'PBDECH'].map((letter) => letter.charCodeAt(0)));

type Stream = PGlite['execProtocolRawStream'];

/**
 * PGlite behind a socket, with faults of that pairing mended (PGlite 0.5.8, pglite-socket 0.2.11).
 *
 * The socket server hands over one protocol message at a time and lets clients take turns, except inside a transaction. All
 * clients share one session, so between the Parse and the Sync of one client another's Parse would replace the unnamed
 * statement. Such a conversation therefore counts as a transaction too.
 *
 * After an error inside such a conversation PGlite says ReadyForQuery at once, and again at the Sync. A client that takes
 * the first for the end of its query reads every later answer one query too early. The first is dropped.
 *
 * A PostgreSQL without background processes makes no checkpoint before it stops, so its write-ahead log would grow for as long
 * as the service runs. One is made in passing, every few minutes.
 */
export class SharedPglite extends PGlite {
  #conversing = false;
  /** Least pause between two checkpoints, ms. */
  checkpointMs = 300_000;
  #checkpointed = Date.now();

  /** Opens the database in a folder and waits until it answers. */
  static async open(dataDir: string, options: PGliteOptions): Promise<SharedPglite> {
    const database = new SharedPglite(dataDir, options);
    await database.waitReady;
    return database;
  }

  override isInTransaction(): boolean {
    return this.#conversing || super.isInTransaction();
  }

  override async execProtocolRawStream(...[message, options]: Parameters<Stream>): Promise<void> {
    const opens = OPENS.has(message[0] ?? 0);
    const onRawData: NonNullable<typeof options>['onRawData'] = (data) => {
      if (!opens || !isReadyForQuery(data)) options?.onRawData(data);
    };
    try {
      await super.execProtocolRawStream(message, { ...options, onRawData });
    } catch (error) {
      // SQL errors come as data. This is the engine itself failing, after which the socket server's queue stands still for
      // ever: end the thread, so that clients see a broken connection instead.
      queueMicrotask(() => {
        throw error;
      });
      throw error;
    }
    this.#conversing = opens;
    if (!this.isInTransaction() && Date.now() - this.#checkpointed >= this.checkpointMs) await this.#checkpoint();
  }

  /** Runs between two conversations: whoever is answered has been, and the next message waits. */
  async #checkpoint(): Promise<void> {
    this.#checkpointed = Date.now();
    await super.execProtocolRawStream(CHECKPOINT, { onRawData: () => {} });
  }
}

/** The statement `checkpoint` as a simple query: `Q`, length, text, zero. */
const CHECKPOINT = Buffer.from('Q\0\0\0\u000Fcheckpoint\0', 'latin1');

/** A whole ReadyForQuery message: `Z`, length 5, transaction state. It never answers a message that opens a conversation. */
function isReadyForQuery(data: Uint8Array): boolean {
  return data.length === 6 && data[0] === 0x5a && data[1] === 0 && data[2] === 0 && data[3] === 0 && data[4] === 5;
}
