/** Version of a remote file when it was opened. */
export interface RemoteVersion {
  /** Strong ETag. */
  readonly etag: string;
  /** CRC-32 of the first bytes. */
  readonly head: number;
}
