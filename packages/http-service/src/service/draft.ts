import type { Reply } from '../seam/reply.ts';
import type { ServiceResponse } from '../seam/request.ts';
import type { Encodings } from './encodings.ts';
import { sendPrepared } from './send-prepared.ts';
import type { Call } from './call.ts';
import type { RowPlan } from './row-plan.ts';
import { addVary, type MutableHeaders } from './vary.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';

/** An answer to which headers may still be added. */
export interface Draft {
  readonly status: number;
  readonly headers: MutableHeaders;
  readonly body: ServiceResponse['body'];
}

/** A handler's reply as an answer; only prepared bytes have to be waited for. */
export function draftOf(
  plan: RowPlan,
  reply: Reply,
  { request, encodings }: Pick<Call, 'request'> & { readonly encodings: Encodings },
): Draft | Promise<Draft> {
  const headers: MutableHeaders = { ...reply.headers };
  if (plan.row.noStore === true) headers['cache-control'] = 'no-store';
  else if (!plan.isOpen) forCallerOnly(headers, plan);
  if ('prepared' in reply) return sendPrepared({ ...reply, headers }, request, encodings);
  if (!('json' in reply)) return { status: reply.status, headers, body: reply.body === '' ? undefined : reply.body };
  headers['content-type'] ??= JSON_TYPE;
  return { status: reply.status, headers, body: JSON.stringify(reply.json) };
}

/**
 * What is told to whoever shows credentials is kept by him alone, and by nobody where the handler does not say how long: caches that
 * others ask too must neither answer these with it, nor answer him with what another's credentials were told.
 */
function forCallerOnly(headers: MutableHeaders, { credentialHeaders }: RowPlan): void {
  const given = headers['cache-control'];
  if (given === undefined) headers['cache-control'] = 'no-store';
  else if (!/\b(?:private|public|no-store)\b/.test(String(given)))
    headers['cache-control'] = `private, ${String(given)}`;
  for (const name of credentialHeaders) addVary(headers, name);
}

/** The same answer for HEAD: no body, its length told. */
export function withoutBody({ status, headers, body }: Draft): Draft {
  if (typeof body === 'string') headers['content-length'] ??= String(Buffer.byteLength(body));
  if (body instanceof Uint8Array) headers['content-length'] ??= String(body.byteLength);
  // A source that fails to end has no answer to spoil.
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  return { status, headers, body: undefined };
}
