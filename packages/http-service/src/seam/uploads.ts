/** A body with one file, written to the local disk. */
export interface Upload {
  /** Absolute path of the file. */
  readonly path: string;
  /** File name that the client sent. It is only shown and never used as a path. */
  readonly fileName: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Work on a checked file; calls `started` when it begins to have effects. */
export type UseOfUpload<T> = (upload: Upload, started: () => void) => Promise<T>;

/** Uploaded files that were checked and wait for their import, so that users need not send them again. */
export interface CheckedUploads {
  /** Moves a file out of the folder of its upload. Returns an id with which only this user can take the file. */
  keep(upload: Upload, owner: { readonly ownerId: number; readonly scratchDir: string }): Promise<string>;
  /**
   * Calls `use` with the file, and then removes the file; undefined if there is no such file of this user. If `use` fails before it
   * has called `started`, the file is kept, for another attempt. Throws `conflict` while the file is in use.
   */
  take<T>(id: string, ownerId: number, use: UseOfUpload<T>): Promise<T | undefined>;
  /** Removes all files; a file in use is removed after its use. */
  close(): Promise<void>;
}
