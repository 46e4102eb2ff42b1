/**
 * State that all processes on one database share. In a store for a single process, `withLock` waits only for calls of
 * this process, and `agree` returns true.
 */
export interface InstallationStore {
  /**
   * Returns the stored text of this name, or stores and returns `proposed`. The text never changes; it may be secret.
   */
  getOrCreate(name: string, proposed: string): Promise<string>;
  /** Returns the text that was last written under this name; undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /** Stores or replaces the text of this name. `getOrCreate` must not use the same name. */
  write(name: string, value: string): Promise<void>;
  /**
   * Holds the lock of this name during `work`. The signal of `work` aborts with `signal`, or when the lock is lost.
   * Rejects with `unavailable` if the lock was lost.
   */
  withLock<T>(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Registers this process's value until the process ends; returns false if another process has another value. Calls
   * `onRival` if another process registered another value while the connection of this process was lost.
   */
  agree(name: string, value: string, onRival?: () => void): Promise<boolean>;
}

/** Notice that a process changed a run. A receiver should read the store, because the notice may be outdated. */
export type RunChange =
  | { readonly kind: 'queued' | 'changed' | 'cancel'; readonly runId: string }
  /** Notices may have been lost, so the receiver should read all runs that it watches. */
  | { readonly kind: 'missed' };

/** Change notices of all processes, delivered within a second while the database can be reached. */
export interface RunChanges {
  /** Calls `onChange` for each notice, also after outages of the database. Returns a function that ends these calls. */
  listen(onChange: (change: RunChange) => void): () => void;
}
