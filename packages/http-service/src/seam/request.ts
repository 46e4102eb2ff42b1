/** Body from the host: a stream that can be read later and with a limit, a value that the host has parsed, or none. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | {
      readonly kind: 'stream';
      /** True for bytes from which a parser of the host has removed a `Content-Encoding`. */
      readonly isDecoded?: boolean;
      /** Reads the whole body; rejects with `payload_too_large` above `limit` bytes. */
      read(limit: number): Promise<Uint8Array>;
      /** Reads piece by piece, with backpressure; after an early end the connection can still send a response. */
      chunks(): AsyncIterable<Uint8Array>;
    };

/** Framework-neutral, lazy request; adapters only translate. */
export interface ServiceRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query as sent, mount prefix removed: `/runs/?limit=2`. */
  readonly url: string;
  /** Lower-case names; repeated headers as arrays. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: RequestBody;
  /** Address of the client, for rate limits and for access by address; undefined if the host does not know it. */
  readonly remoteAddress: string | undefined;
  /**
   * Number of entries of `X-Forwarded-For` that the host trusts, because trusted proxies sent them; default 0. If the header has more
   * entries, the client is unknown, and access by address treats it as a public client.
   */
  readonly trustedHops?: number;
  /** True on a reserved connection of a server that is full (`guardServer`). */
  readonly isOfReserve?: boolean;
  /** Aborted if the client disconnects. */
  readonly signal: AbortSignal;
}

/** Framework-neutral response: headers may repeat (Set-Cookie); the body is text, bytes, a stream or none. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
}

/** The service that adapters mount. */
export interface Service {
  /** Distinct path patterns in `:param` form (`/runs/:id/`), each with and without trailing slash handled by `execute`. */
  readonly paths: readonly string[];
  execute(request: ServiceRequest): Promise<ServiceResponse>;
  /** True if a row has the path of this URL, with any method; for hosts that route by prefixes. */
  owns(url: string): boolean;
  /** Stops accepting work, ends streams, releases runs; resolves when all have ended. */
  close(): Promise<void>;
}
