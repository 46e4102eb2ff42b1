import type { PGliteOptions } from '@electric-sql/pglite';
import { PGlite } from '@electric-sql/pglite';

/** Frontend messages of the extended protocol that are followed by other messages until a Sync: Parse, Bind, Describe, Execute, Close, Flush. */
const OPENS = new Set([...'PBDECH'].map((letter) => letter.charCodeAt(0)));

type Stream = PGlite['execProtocolRawStream'];

/**
 * PGlite behind a socket server, with fixes for faults of PGlite 0.5.8 together with pglite-socket 0.2.11.
 *
 * The socket server passes on one protocol message at a time and alternates between clients, except inside a transaction. All clients share
 * one session. So between the Parse and the Sync of one client, the Parse of another client could replace the unnamed statement. To prevent
 * this, all messages from a Parse to the next Sync (an exchange) also count as a transaction.
 *
 * After an error inside an exchange, PGlite sends ReadyForQuery immediately, and again at the Sync. A client would treat the first
 * ReadyForQuery as the end of its query, and would assign every later result to the wrong query. So the first ReadyForQuery is dropped.
 *
 * A PostgreSQL without background processes runs no checkpoint before it stops, so its write-ahead log would grow for as long
 * as the service runs. This class runs a checkpoint every few minutes, and after large statements.
 */
export class SharedPglite extends PGlite {
  #isExchangeOpen = false;
  /** Minimum pause between two checkpoints, ms. */
  checkpointMs = 300_000;
  /**
   * Number of received bytes of statements and values after which a checkpoint does not wait for the minimum pause. The received bytes are
   * counted, because the log grows by at least the size of the values.
   */
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
      // SQL errors arrive as data, so this error is a failure of the engine, which would block the queue of the socket
      // server for ever. So the error is also thrown outside of the promise: this ends the thread and breaks the
      // connections of the clients.
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

  /**
   * Runs a checkpoint. Called between two exchanges: the last response was sent, and the next message is not processed
   * before the checkpoint ends.
   */
  async #checkpoint(): Promise<void> {
    this.#checkpointed = Date.now();
    this.#receivedBytes = 0;
    await super.execProtocolRawStream(CHECKPOINT, { onRawData: () => {} });
  }
}

/** The statement `checkpoint` as a simple query: `Q`, length, text, zero. */
const CHECKPOINT = Buffer.from('Q\0\0\0\u000Fcheckpoint\0', 'latin1');

/**
 * True for a whole ReadyForQuery message: `Z`, length 5, transaction state. Within an exchange, a ReadyForQuery is not a valid response.
 */
function isReadyForQuery(data: Uint8Array): boolean {
  return data.length === 6 && data[0] === 0x5a && data[1] === 0 && data[2] === 0 && data[3] === 0 && data[4] === 5;
}
