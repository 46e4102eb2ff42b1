import type { PGliteOptions } from '@electric-sql/pglite';
import { PGlite } from '@electric-sql/pglite';

/** Types of messages after which the client must send a Sync: Parse, Bind, Describe, Execute, Close, Flush. */
const OPENS = new Set([...'PBDECH'].map((letter) => letter.charCodeAt(0)));

type Stream = PGlite['execProtocolRawStream'];

/**
 * PGlite behind a socket server, with three workarounds for PGlite 0.5.8 and pglite-socket 0.2.11.
 *
 * All clients share one session, so one client could replace the unnamed statement of another client. So all messages
 * from a Parse to the next Sync (an exchange) count as a transaction, during which the server serves no other client.
 *
 * After an error inside an exchange, PGlite sends ReadyForQuery twice. The first one is dropped, because a client would
 * assign later results to the wrong query.
 *
 * PGlite runs no checkpoints, so its write-ahead log would grow without limit. This class runs a checkpoint every few
 * minutes, and after large statements.
 */
export class SharedPglite extends PGlite {
  #isExchangeOpen = false;
  /** Time since the last checkpoint, ms, after which the next statement causes a checkpoint. */
  checkpointMs = 300_000;
  /** Number of received bytes that causes an earlier checkpoint. */
  checkpointBytes = 32 * 1024 * 1024;
  #checkpointed = Date.now();
  #receivedBytes = 0;

  /** Opens the database in a folder and waits until it responds. */
  static async open(dataDir: string, options: PGliteOptions): Promise<SharedPglite> {
    const database = new SharedPglite(dataDir, options);
    await database.waitReady;
    return database;
  }

  override isInTransaction(): boolean {
    return this.#isExchangeOpen || super.isInTransaction();
  }

  override async execProtocolRawStream(...[message, options]: Parameters<Stream>): Promise<void> {
    const opens = OPENS.has(message[0] ?? 0);
    this.#receivedBytes += message.length;
    const onRawData: NonNullable<typeof options>['onRawData'] = (data) => {
      if (!opens || !isReadyForQuery(data)) options?.onRawData(data);
    };
    try {
      await super.execProtocolRawStream(message, { ...options, onRawData });
    } catch (error) {
      // This is a failure of the engine, because SQL errors arrive as data. The throw ends the thread, because
      // otherwise all clients would wait for ever.
      queueMicrotask(() => {
        throw error;
      });
      throw error;
    }
    this.#isExchangeOpen = opens;
    if (!this.isInTransaction() && this.#isCheckpointDue()) await this.#checkpoint();
  }

  #isCheckpointDue(): boolean {
    return this.#receivedBytes >= this.checkpointBytes || Date.now() - this.#checkpointed >= this.checkpointMs;
  }

  async #checkpoint(): Promise<void> {
    this.#checkpointed = Date.now();
    this.#receivedBytes = 0;
    await super.execProtocolRawStream(CHECKPOINT, { onRawData: () => {} });
  }
}

/** The statement `checkpoint` as a message: `Q` (simple query), length, text, zero. */
const CHECKPOINT = Buffer.from('Q\0\0\0\u000Fcheckpoint\0', 'latin1');

/** A ReadyForQuery message is `Z`, length 5 and the transaction state. */
function isReadyForQuery(data: Uint8Array): boolean {
  return data.length === 6 && data[0] === 0x5a && data[1] === 0 && data[2] === 0 && data[3] === 0 && data[4] === 5;
}
