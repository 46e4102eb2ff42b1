/** Body as the host has it: bytes to read late and with a limit, already parsed by the host, or none. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | {
      readonly kind: 'stream';
      /** Reads all of it; rejects with `payload_too_large` beyond `limit` bytes. */
      read(limit: number): Promise<Uint8Array>;
      /** Reads it piece by piece, as slowly as it is asked for; ending early leaves the connection fit for an answer. */
      chunks(): AsyncIterable<Uint8Array>;
    };

/** Neutral, lazy request: adapters translate, they decide nothing. */
export interface ServiceRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query as sent, mount prefix removed: `/runs/?limit=2`. */
  readonly url: string;
  /** Lower-case names; repeated headers as arrays. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: RequestBody;
  /** Address of the peer, for throttling. */
  readonly remoteAddress: string | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** Neutral response: headers may repeat (Set-Cookie); body is text, bytes, a stream or none. */
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
  /** True where a row has the path of this URL, whatever its method: what a host that routes by prefixes must ask. */
  owns(url: string): boolean;
  /** Stops taking work, ends streams, releases runs; resolves when quiet. */
  close(): Promise<void>;
}
