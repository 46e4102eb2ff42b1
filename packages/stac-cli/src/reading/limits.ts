/** What one reading may cost. */
export interface ReadLimits {
  /** Bytes of one document, as it is after decompression. */
  readonly mostBytes: number;
  /** Bytes of all documents together. */
  readonly mostTotalBytes: number;
  /** Milliseconds that one answer may take, with its redirects and its body. */
  readonly timeoutMs: number;
  readonly mostRedirects: number;
  /** Requests under way at once. */
  readonly atOnce: number;
}

export const READ_LIMITS: ReadLimits = {
  mostBytes: 32 * 2 ** 20,
  mostTotalBytes: Number.POSITIVE_INFINITY,
  timeoutMs: 30_000,
  mostRedirects: 5,
  atOnce: 8,
};

/** A number of bytes for people. */
export const mib = (bytes: number): string => `${String(Math.round(bytes / 2 ** 20))} MiB`;
