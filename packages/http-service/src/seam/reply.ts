import type { ServiceResponse } from './request.ts';

/** Bytes of a cached response, with their ETag. A compressed form is created on first use, and cached together with the bytes. */
export interface Prepared {
  /** Uncompressed bytes. */
  readonly bytes: Uint8Array;
  /** Value of `Content-Type`. */
  readonly type: string;
  /** Strong or weak ETag of the uncompressed bytes, with its quotation marks. */
  readonly etag: string;
}

/**
 * Reply of a handler. `json` is serialised (and validated in tests). `prepared` is sent with its ETag, in an encoding that the client
 * accepts. `body` is sent unchanged.
 */
export type Reply =
  | { readonly status: number; readonly json: unknown; readonly headers?: ServiceResponse['headers'] }
  | { readonly status: number; readonly prepared: Prepared; readonly headers?: ServiceResponse['headers'] }
  | { readonly status: number; readonly body: ServiceResponse['body']; readonly headers: ServiceResponse['headers'] };

/** Reply to a request whose body the operation does not need, such as a refusal. */
export interface EarlyReply {
  readonly reply: Reply;
  /**
   * If the body has at most this declared size and arrives within this time, the request is handled after all. Default: such a
   * request is never handled.
   */
  readonly unless?: { readonly bytes: number; readonly ms: number };
}

/** A JSON reply. */
export function json(status: number, value: unknown, headers?: ServiceResponse['headers']): Reply {
  return headers === undefined ? { status, json: value } : { status, json: value, headers };
}
