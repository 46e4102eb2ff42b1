import type { Prepared } from '../reply.ts';
import type { ServiceRequest, ServiceResponse } from '../seam.ts';
import { chooseEncoding, type Encoding } from '../reading/accept-encoding.ts';
import type { Encodings } from './encodings.ts';
import { addVary, type MutableHeaders } from './vary.ts';

/** Prepared bytes as this request takes them: encoded, or 304 where the client has them already. */
export async function sendPrepared(
  {
    status,
    prepared,
    headers,
  }: { readonly status: number; readonly prepared: Prepared; readonly headers: MutableHeaders },
  request: ServiceRequest,
  encodings: Encodings,
): Promise<ServiceResponse & { readonly headers: MutableHeaders }> {
  const wanted = chooseEncoding(request.headers['accept-encoding']);
  const compressed = wanted === 'identity' ? undefined : await encodings.of(prepared, wanted);
  const encoding = compressed === undefined ? 'identity' : wanted;
  addVary(headers, 'Accept-Encoding');
  headers['etag'] = tagOf(prepared.etag, encoding);
  if (status === 200 && isKnown(request, headers['etag'])) return { status: 304, headers, body: undefined };
  headers['content-type'] = prepared.type;
  if (encoding !== 'identity') headers['content-encoding'] = encoding;
  return { status, headers, body: compressed ?? prepared.bytes };
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
