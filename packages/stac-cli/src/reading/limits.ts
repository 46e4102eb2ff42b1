/** Limits for reading documents. */
export interface ReadLimits {
  /** Bytes of one document after decompression. */
  readonly mostBytes: number;
  /** Bytes of all documents together. */
  readonly mostTotalBytes: number;
  /** Timeout of one response with its redirects and body, ms. */
  readonly timeoutMs: number;
  readonly mostRedirects: number;
  /** Concurrency limit of requests. */
  readonly atOnce: number;
}

export const READ_LIMITS: ReadLimits = {
  mostBytes: 32 * 2 ** 20,
  mostTotalBytes: Number.POSITIVE_INFINITY,
  timeoutMs: 30_000,
  mostRedirects: 5,
  atOnce: 8,
};

/** A number of bytes as text in MiB. */
export const mib = (bytes: number): string => `${String(Math.round(bytes / 2 ** 20))} MiB`;
