/** Version of a remote file when it was opened. */
export interface RemoteVersion {
  readonly etag: string;
  /** CRC-32 of the first bytes of the file. */
  readonly head: number;
}
