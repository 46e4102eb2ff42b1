/** Body as the host has it: bytes to read late and with a limit, already parsed by the host, or none. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'stream'; readonly read: (limit: number) => Promise<Uint8Array> };

/** Neutral, lazy request: adapters translate, they decide nothing. */
export interface ServiceRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query as sent, mount prefix removed: `/api/v1/runs/?limit=2`. */
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
  /** Distinct path patterns in `:param` form (`/api/v1/runs/:id/`), each with and without trailing slash handled by `execute`. */
  readonly paths: readonly string[];
  execute(request: ServiceRequest): Promise<ServiceResponse>;
  /** Stops taking work, ends streams, releases runs; resolves when quiet. */
  close(): Promise<void>;
}
