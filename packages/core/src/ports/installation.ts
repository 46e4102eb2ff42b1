/**
 * State that all processes on one database share. A store in memory or on the embedded database belongs to a single process. So in such a
 * store `withLock` never waits for another process, and `agree` always returns true.
 */
export interface InstallationStore {
  /**
   * Returns the text that is stored under this name. If there is none, stores and returns `proposed`. Such a text never changes; it
   * may be secret.
   */
  getOrCreate(name: string, proposed: string): Promise<string>;
  /** Returns the text that was last written under this name; undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /** Stores the text under this name, and replaces an earlier text. Do not use a name that is used with `getOrCreate`. */
  write(name: string, value: string): Promise<void>;
  /**
   * Waits for the lock of this name and runs `work` while the lock is held. Rejects with the signal's reason if the signal aborts while the
   * call waits. A process that dies releases the lock. `work` gets a signal that aborts when `signal` aborts, or when the lock is lost
   * because the connection to the database broke. If the lock is lost, the call rejects as `unavailable`.
   */
  withLock<T>(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Registers this process's value under a name until the process ends. Returns true if no other running process has registered another
   * value. Only a digest of the value is stored. If this process loses its connection to the database, a process with another value may
   * register before the connection is restored; `onRival` is then called.
   */
  agree(name: string, value: string, onRival?: () => void): Promise<boolean>;
}

/** Notice that this or another process changed a run. A receiver should read the store, because the notice may be outdated. */
export type RunChange =
  | { readonly kind: 'queued' | 'changed' | 'cancel'; readonly runId: string }
  /** Notices may have been lost, so the receiver should read all runs that it watches. */
  | { readonly kind: 'missed' };

/** Change notices, also from other processes, delivered within a second while the database can be reached. */
export interface RunChanges {
  /** Calls `onChange` for each notice, also after outages of the database. Returns a function that ends these calls. */
  listen(onChange: (change: RunChange) => void): () => void;
}
