import type { Prepared } from '../seam/reply.ts';
import type { ServiceRequest, ServiceResponse } from '../seam/request.ts';
import { chooseEncoding, type Encoding } from '../reading/accept-encoding.ts';
import type { Encodings } from './encodings.ts';
import { addVary, type MutableHeaders } from './vary.ts';

/** Prepared bytes on their way out. */
export interface PreparedDraft {
  readonly status: number;
  readonly prepared: Prepared;
  readonly headers: MutableHeaders;
}

type Sent = ServiceResponse & { readonly headers: MutableHeaders };

/** Prepared bytes as this request takes them: encoded, which has to be waited for, or 304 where the client has them already. */
export function sendPrepared(
  draft: PreparedDraft,
  request: ServiceRequest,
  encodings: Encodings,
): Sent | Promise<Sent> {
  const wanted = chooseEncoding(request.headers['accept-encoding']);
  const plain: Form = { encoding: 'identity', bytes: draft.prepared.bytes };
  if (wanted === 'identity') return sent(draft, request, plain);
  const compressed = encodings.of(draft.prepared, wanted);
  return compressed.then((bytes) => sent(draft, request, bytes === undefined ? plain : { encoding: wanted, bytes }));
}

interface Form {
  readonly encoding: Encoding;
  readonly bytes: Uint8Array;
}

function sent({ status, prepared, headers }: PreparedDraft, request: ServiceRequest, form: Form): Sent {
  const { encoding, bytes } = form;
  addVary(headers, 'Accept-Encoding');
  const etag = tagOf(prepared.etag, encoding);
  headers['etag'] = etag;
  if (status === 200 && isKnown(request, etag)) return { status: 304, headers, body: undefined };
  headers['content-type'] = prepared.type;
  if (encoding !== 'identity') headers['content-encoding'] = encoding;
  return { status, headers, body: bytes };
}

// A strong tag promises the very bytes, so that each encoding has one of its own (RFC 9110, 8.8.3.3).
function tagOf(etag: string, encoding: Encoding): string {
  return encoding === 'identity' || etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}

function isKnown({ method, headers }: ServiceRequest, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  const list = typeof known === 'string' ? known : known.join(',');
  return list.trim() === '*' || (list.match(/(?:W\/)?"[^"]*"/g) ?? []).some((each) => weak(each) === weak(etag));
}

function weak(etag: string): string {
  return etag.replace(/^W\//, '');
}
