/** Limits for reading documents. */
export interface ReadLimits {
  /** Size limit of one document after decompression, bytes. */
  readonly mostBytes: number;
  /** Size limit of all documents together, bytes. */
  readonly mostTotalBytes: number;
  /** Timeout of a response with redirects and body, ms. */
  readonly timeoutMs: number;
  readonly mostRedirects: number;
  /** Limit of concurrent requests. */
  readonly atOnce: number;
}

export const READ_LIMITS: ReadLimits = {
  mostBytes: 32 * 2 ** 20,
  mostTotalBytes: Number.POSITIVE_INFINITY,
  timeoutMs: 30_000,
  mostRedirects: 5,
  atOnce: 8,
};

/** Bytes as a text in MiB. */
export const mib = (bytes: number): string => `${String(Math.round(bytes / 2 ** 20))} MiB`;
