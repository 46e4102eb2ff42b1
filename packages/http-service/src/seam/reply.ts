import type { ServiceResponse } from './request.ts';

/** An answer's bytes, made once: its tag stands beside them, and so do encodings once somebody asked for one. */
export interface Prepared {
  /** Not encoded. */
  readonly bytes: Uint8Array;
  /** Value of `Content-Type`. */
  readonly type: string;
  /** Quoted, strong or weak, of the bytes as they are. */
  readonly etag: string;
}

/**
 * What a handler answers: `json` is serialised (and checked in tests), `prepared` is sent with its tag, encoded as the
 * client accepts, `body` is sent as it is.
 */
export type Reply =
  | { readonly status: number; readonly json: unknown; readonly headers?: ServiceResponse['headers'] }
  | { readonly status: number; readonly prepared: Prepared; readonly headers?: ServiceResponse['headers'] }
  | { readonly status: number; readonly body: ServiceResponse['body']; readonly headers: ServiceResponse['headers'] };

/** A JSON answer. */
export function json(status: number, value: unknown, headers?: ServiceResponse['headers']): Reply {
  return headers === undefined ? { status, json: value } : { status, json: value, headers };
}
