import type { Operation } from '../operation.ts';
import type { Reply } from '../reply.ts';
import type { ServiceResponse } from '../seam.ts';
import type { Encodings } from './encodings.ts';
import { sendPrepared } from './send-prepared.ts';
import type { Call } from './call.ts';

/** Headers while an answer is being made. */
export type MutableHeaders = Record<string, string | readonly string[]>;

/** An answer to which headers may still be added. */
export interface Draft {
  readonly status: number;
  readonly headers: MutableHeaders;
  readonly body: ServiceResponse['body'];
}

/** A handler's reply as an answer; only prepared bytes have to be waited for. */
export function draftOf(
  row: Operation,
  reply: Reply,
  { request, encodings }: Pick<Call, 'request'> & { readonly encodings: Encodings },
): Draft | Promise<Draft> {
  const headers: MutableHeaders = { ...reply.headers };
  if (row.noStore === true) headers['cache-control'] = 'no-store';
  // What is told to whoever shows credentials is nobody else's, unless the handler says how it may be kept.
  else if (row.auth !== 'public') headers['cache-control'] ??= 'no-store';
  if ('prepared' in reply) return sendPrepared({ ...reply, headers }, request, encodings);
  if (!('json' in reply)) return { status: reply.status, headers, body: reply.body === '' ? undefined : reply.body };
  headers['content-type'] ??= 'application/json; charset=utf-8';
  return { status: reply.status, headers, body: JSON.stringify(reply.json) };
}

/** The same answer for HEAD: no body, its length told. */
export function withoutBody({ status, headers, body }: Draft): Draft {
  if (typeof body === 'string') headers['content-length'] ??= String(Buffer.byteLength(body));
  if (body instanceof Uint8Array) headers['content-length'] ??= String(body.byteLength);
  if (body instanceof ReadableStream) void body.cancel();
  return { status, headers, body: undefined };
}
