/**
 * What the processes on one database have in common. Stores in memory and over the embedded database belong to one process,
 * which agrees with itself.
 */
export interface InstallationStore {
  /** The text under this name: that of whoever came first, else `proposed`, which stays for good. May be secret. */
  getOrCreate(name: string, proposed: string): Promise<string>;
  /**
   * Runs `work` while no other process runs work of this name, and waits for its turn first. Rejects with the signal's reason
   * when that aborts before. A process that dies gives its turn up. The signal that `work` gets aborts with the given one, and when
   * the turn is lost before the work is over (the connection that held it broke); then it rejects as `unavailable`.
   */
  withLock<T>(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Notes what this process has under a name, for as long as it lives, and tells whether every other living process has the
   * same. The text itself is not stored. `onRival` is called when this process was out of reach for a while, and one with another
   * value was admitted meanwhile.
   */
  agree(name: string, value: string, onRival?: () => void): Promise<boolean>;
}

/** A change of a run that another process wrote (or this one): a nudge to look at the store, never the truth itself. */
export type RunChange =
  | { readonly kind: 'queued' | 'changed' | 'cancel'; readonly runId: string }
  /** Changes of any run may have gone by unheard: look at all that matter. */
  | { readonly kind: 'missed' };

/** News of runs from other processes, within a second while the database can be reached. */
export interface RunChanges {
  /** Calls `onChange` from now on, through outages of the database too; returns what ends that. */
  listen(onChange: (change: RunChange) => void): () => void;
}
