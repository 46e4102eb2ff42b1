import type { ServiceResponse } from './request.ts';

/** Cached response with ETag. Its compressed form is created on first use. */
export interface Prepared {
  readonly bytes: Uint8Array;
  readonly type: string;
  /** Strong or weak ETag of the uncompressed bytes, quoted. */
  readonly etag: string;
}

/**
 * Reply of a handler. `json` is serialised; `prepared` is sent with its ETag, perhaps compressed; `body` is sent
 * unchanged.
 */
export type Reply =
  | { readonly status: number; readonly json: unknown; readonly headers?: ServiceResponse['headers'] }
  | { readonly status: number; readonly prepared: Prepared; readonly headers?: ServiceResponse['headers'] }
  | { readonly status: number; readonly body: ServiceResponse['body']; readonly headers: ServiceResponse['headers'] };

/** Reply to a request whose body is not needed, such as a refusal. */
export interface EarlyReply {
  readonly reply: Reply;
  /** The request is handled after all if its body has a declared size up to `bytes` and arrives within `ms`. */
  readonly unless?: { readonly bytes: number; readonly ms: number };
}

/** A JSON reply. */
export function json(status: number, value: unknown, headers?: ServiceResponse['headers']): Reply {
  return headers === undefined ? { status, json: value } : { status, json: value, headers };
}
