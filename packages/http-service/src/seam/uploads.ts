/** Uploaded file on the local disk. */
export interface Upload {
  /** Absolute path. */
  readonly path: string;
  /** File name from the client. Never use it as a path. */
  readonly fileName: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Work on a checked file; calls `started` before its first effect. */
export type UseOfUpload<T> = (upload: Upload, started: () => void) => Promise<T>;

/** Uploaded and checked files that wait for their import (decision 210). */
export interface CheckedUploads {
  /** Takes over the file. Returns an id with which only this user can take the file. */
  keep(upload: Upload, owner: { readonly ownerId: number; readonly scratchDir: string }): Promise<string>;
  /**
   * Calls `use` with the file, and then removes the file. If `use` fails before `started`, the file is kept. Undefined
   * if the user has no such file. Throws `conflict` while the file is in use.
   */
  take<T>(id: string, ownerId: number, use: UseOfUpload<T>): Promise<T | undefined>;
  /** Removes all files; a file in use is removed after its use. */
  close(): Promise<void>;
}
