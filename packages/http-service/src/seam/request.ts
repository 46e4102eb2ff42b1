/** Body from the host: no body, a value that the host has parsed, or a stream, which can be read later and with a limit. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | {
      readonly kind: 'stream';
      /** True if a parser of the host has already decompressed the bytes (`Content-Encoding`). */
      readonly isDecoded?: boolean;
      /** Reads the whole body; rejects with `payload_too_large` above `limit` bytes. */
      read(limit: number): Promise<Uint8Array>;
      /** Reads piece by piece, with backpressure. If the caller stops early, the response can still be sent. */
      chunks(): AsyncIterable<Uint8Array>;
      /** Discards the rest of a body that the service does not need; ends the connection of a slow sender. Default: the host decides. */
      drop?(): void;
    };

/** Framework-neutral request. Adapters only convert the request of their framework; the body is read on demand. */
export interface ServiceRequest {
  /** HTTP method, in upper case. */
  readonly method: string;
  /** Path and query as sent, without the path prefix of the mount, such as `/runs/?limit=2`. */
  readonly url: string;
  /** Headers by their names in lower case; a repeated header is an array. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: RequestBody;
  /** Address of the client, for rate limits and for access by address; undefined if the host does not know it. */
  readonly remoteAddress: string | undefined;
  /**
   * Number of entries of `X-Forwarded-For` that the host trusts, because trusted proxies added them; default 0. If
   * the header has more entries, the client's address is unknown, and the client is treated as a public client.
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

/** Name of an operation. */
export interface OperationName {
  /** Id of the operation; the `operationId` in OpenAPI. */
  readonly id: string;
  /** Path of the operation, such as `/runs/:id/`, without the prefix of the mount. */
  readonly path: string;
}

/** The service that adapters mount. */
export interface Service {
  /**
   * Path patterns of all operations, each once, with `:param` segments (`/runs/:id/`). `execute` accepts each with and without
   * trailing slash.
   */
  readonly paths: readonly string[];
  execute(request: ServiceRequest): Promise<ServiceResponse>;
  /**
   * Id of the operation, and its path with `:param` segments, for a method and a URL; undefined if there is no such operation. HEAD
   * has the operation of GET. Hosts use this method for logs and metrics.
   */
  operation(method: string, url: string): OperationName | undefined;
  /**
   * True if an operation has the path of this URL, with any method. Hosts use this method to pass on only requests for the service.
   */
  owns(url: string): boolean;
  /** Refuses new work, ends streams, and puts running runs back in the queue. Resolves after all work has ended. */
  close(): Promise<void>;
}
