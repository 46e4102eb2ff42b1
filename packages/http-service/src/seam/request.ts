/** Body from the host: none, a parsed value, or a stream. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | {
      readonly kind: 'stream';
      /** True if the host has already decompressed the bytes. */
      readonly isDecoded?: boolean;
      /** Reads the whole body. Rejects with `payload_too_large` above `limit` bytes. */
      read(limit: number): Promise<Uint8Array>;
      /** Reads chunks with backpressure. If the caller stops early, the response can still be sent. */
      chunks(): AsyncIterable<Uint8Array>;
      /** Discards the rest of the body; ends the connection of a slow sender. */
      drop?(): void;
    };

/** Framework-neutral request. The body is read on demand. */
export interface ServiceRequest {
  /** Method in upper case. */
  readonly method: string;
  /** Path and query as sent, without the prefix of the mount. */
  readonly url: string;
  /** Names in lower case; the values of a repeated header are an array, or joined as one text. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: RequestBody;
  /** Address of the client, if the host knows it. */
  readonly remoteAddress: string | undefined;
  /**
   * Number of entries of `X-Forwarded-For` that trusted proxies added; default 0. If the header has more entries, an
   * untrusted proxy or the client itself added them, and the client's address counts as unknown.
   */
  readonly trustedHops?: number;
  /** True on a reserved connection of a full server (`guardServer`): only operations with `usesReserve` are run. */
  readonly isOfReserve?: boolean;
  /** Aborted if the client disconnects. */
  readonly signal: AbortSignal;
}

/** Framework-neutral response. Headers may repeat (Set-Cookie). */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
}

/** Name of an operation. */
export interface OperationName {
  /** `operationId` in OpenAPI. */
  readonly id: string;
  /** Path without the prefix of the mount, such as `/runs/:id/`. */
  readonly path: string;
}

/** Service that adapters mount. */
export interface Service {
  /** Path patterns of all operations, such as `/runs/:id/`. `execute` accepts each with and without trailing slash. */
  readonly paths: readonly string[];
  /**
   * Answers a request; errors become responses. For speed, returns a promise only if the answer has to wait; callers
   * use `await` in both cases. Never throws; rejects for errors outside of operations, such as that of a logger of the
   * host.
   */
  execute(request: ServiceRequest): ServiceResponse | Promise<ServiceResponse>;
  /**
   * Operation of a method and URL, for the host's logs and metrics; undefined if there is none. HEAD has the operation
   * of GET.
   */
  operation(method: string, url: string): OperationName | undefined;
  /** True if the service has the path of this URL, for hosts that pass on only such requests. */
  owns(url: string): boolean;
  /** Refuses new work, ends streams, and returns running runs to the queue. Resolves after all work has ended. */
  close(): Promise<void>;
}
