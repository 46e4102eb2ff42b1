/**
 * State that all processes on one database share. Stores in memory and on the embedded database belong to a single process, for which locks
 * and agreements always succeed.
 */
export interface InstallationStore {
  /** Returns the text stored under this name; stores `proposed` for good if there is none yet. The text may be secret. */
  getOrCreate(name: string, proposed: string): Promise<string>;
  /**
   * Runs `work` while no other process runs work of this name; waits for the lock first. Rejects with the signal's reason if the signal
   * aborts before that. A process that dies releases the lock. The signal passed to `work` aborts with the given one, and when the lock is
   * lost before the work ends (its connection broke); the call then rejects as `unavailable`.
   */
  withLock<T>(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Registers this process's value under a name for the life of the process; returns true if every other living process has the same value.
   * Only a digest is stored. `onRival` is called if this process was out of reach for a while and a process with another value was admitted
   * meanwhile.
   */
  agree(name: string, value: string, onRival?: () => void): Promise<boolean>;
}

/** Notice that a process (another one or this one) changed a run. It only prompts a read of the store; its content is not authoritative. */
export type RunChange =
  | { readonly kind: 'queued' | 'changed' | 'cancel'; readonly runId: string }
  /** Changes of any run may have been missed: read all runs that matter. */
  | { readonly kind: 'missed' };

/** Change notices from other processes, delivered within a second while the database can be reached. */
export interface RunChanges {
  /** Calls `onChange` from now on, also after outages of the database; returns a function that stops it. */
  listen(onChange: (change: RunChange) => void): () => void;
}
