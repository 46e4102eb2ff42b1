import { type Encoding, chooseEncoding } from '../reading/accept-encoding.ts';
import { knowsTag } from '../reading/conditions.ts';
import type { Prepared, Reply } from '../seam/reply.ts';
import type { ServiceRequest } from '../seam/request.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';
import type { Encodings } from './encodings.ts';
import type { RowPlan } from './row-plan.ts';
import { addVary, type MutableHeaders, type UnsentResponse } from './unsent-response.ts';

/** The request, and the cache of compressed forms. */
export interface ResponseParts {
  readonly request: ServiceRequest;
  readonly encodings: Encodings;
}

/** Converts a handler's reply to a response. Returns a promise only if bytes must be compressed. */
export function responseOf(
  plan: RowPlan,
  reply: Reply,
  { request, encodings }: ResponseParts,
): UnsentResponse | Promise<UnsentResponse> {
  const headers: MutableHeaders = { ...reply.headers };
  if (plan.row.noStore === true) headers['cache-control'] = 'no-store';
  else if (!plan.isOpen) forCallerOnly(headers, plan);
  if ('prepared' in reply) return preparedResponse({ ...reply, headers }, request, encodings);
  if (!('json' in reply)) return { status: reply.status, headers, body: reply.body === '' ? undefined : reply.body };
  headers['content-type'] ??= JSON_TYPE;
  return { status: reply.status, headers, body: JSON.stringify(reply.json) };
}

/**
 * Marks the response to a request with credentials, so that a shared cache does not send it to other clients:
 * `private` if the handler sets `Cache-Control`, otherwise `no-store`. `Vary` names the headers of the credentials.
 */
function forCallerOnly(headers: MutableHeaders, { credentialHeaders }: RowPlan): void {
  const cacheControl = headers['cache-control'];
  if (cacheControl === undefined) headers['cache-control'] = 'no-store';
  else if (!/\b(?:private|public|no-store)\b/.test(String(cacheControl)))
    headers['cache-control'] = `private, ${String(cacheControl)}`;
  for (const name of credentialHeaders) addVary(headers, name);
}

type PreparedReply = Extract<Reply, { readonly prepared: Prepared }> & Pick<UnsentResponse, 'headers'>;

/** Responds with prepared bytes in an encoding that the request accepts, or with 304 if the client has them in its cache. */
function preparedResponse(
  reply: PreparedReply,
  request: ServiceRequest,
  encodings: Encodings,
): UnsentResponse | Promise<UnsentResponse> {
  const wanted = chooseEncoding(request.headers['accept-encoding']);
  const plain: Form = { encoding: 'identity', bytes: reply.prepared.bytes };
  if (wanted === 'identity') return encodedResponse(reply, request, plain);
  const compressed = encodings.of(reply.prepared, wanted);
  return compressed.then((bytes) =>
    encodedResponse(reply, request, bytes === undefined ? plain : { encoding: wanted, bytes }),
  );
}

interface Form {
  readonly encoding: Encoding;
  readonly bytes: Uint8Array;
}

function encodedResponse(
  { status, prepared, headers }: PreparedReply,
  request: ServiceRequest,
  form: Form,
): UnsentResponse {
  const { encoding, bytes } = form;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  addVary(headers, 'Accept-Encoding');
  const etag = tagOf(prepared.etag, encoding);
  headers['etag'] = etag;
  if (status === 200 && isRead && knowsTag(etag, request.headers) === true)
    return { status: 304, headers, body: undefined };
  headers['content-type'] = prepared.type;
  if (encoding !== 'identity') headers['content-encoding'] = encoding;
  return { status, headers, body: bytes };
}

// A strong ETag identifies exact bytes, so each encoding has its own (RFC 9110, 8.8.3.3).
function tagOf(etag: string, encoding: Encoding): string {
  return encoding === 'identity' || etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}
