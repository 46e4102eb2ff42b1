import type { FieldsKind, PartLimits } from '../seam/row-body.ts';
import type { ServiceRequest } from '../seam/request.ts';
import { parseQuery, setOnce } from './query.ts';
import { decodeText, isJsonType, parseJson, refuseUnstorable } from './json.ts';
import { mediaType, unsupportedType, type Header, payloadTooLarge } from './media-type.ts';
import { refuseDeep } from './json.ts';
import { isMultipart, multipartOf, readParts, type MultipartSource } from './multipart.ts';

/** Options of `readFields`. */
export interface FieldsReading {
  readonly accepts: ReadonlySet<FieldsKind>;
  /** Maximum size of the body, bytes. */
  readonly limit: number;
  readonly parts: PartLimits;
  /** True if the content type is ignored, and JSON or a form is detected from the bytes. */
  readonly isLenient: boolean;
}

/** Reads the fields of a body; undefined for an empty body with any content type. */
export async function readFields(request: ServiceRequest, reading: FieldsReading): Promise<unknown> {
  const { accepts, limit, parts, isLenient } = reading;
  const { body, headers } = request;
  if (body.kind === 'none') return undefined;
  if (accepts.has('multipart') && isMultipart(mediaType(headers['content-type'])))
    return collect(multipartOf(request), parts);
  if (body.kind === 'parsed') return parsedFields(body.value, headers, { accepts, limit });
  const bytes = await body.read(limit);
  if (bytes.byteLength === 0) return undefined;
  return isLenient ? parseByLook(bytes) : parseFields(bytes, headers['content-type'], accepts);
}

/**
 * Beginning of a form: a field name and `=`. Multipart bodies do not match, because they have a space before their
 * first `=`; most plain texts do not match either.
 */
const FORM = /^[\w.%+-]+=/;

function parseByLook(bytes: Uint8Array): unknown {
  const text = decodeText(bytes, 'JSON').trim();
  if (text === '') return undefined;
  return FORM.test(text) ? parseQuery(text, false) : parseJson(text);
}

// Checks a body that the host has parsed, because the host checks neither the media type nor the operation's limit.
function parsedFields(
  value: unknown,
  headers: ServiceRequest['headers'],
  { accepts, limit }: Pick<FieldsReading, 'accepts' | 'limit'>,
): unknown {
  const type = mediaType(headers['content-type']);
  if (!(isJsonType(type) && accepts.has('json')) && !(isForm(type) && accepts.has('form')))
    throw unsupportedType(headers['content-type'], typesOf(accepts));
  refuseDeep(value);
  if (sizeOf(value, headers) > limit) throw payloadTooLarge(limit);
  return refuseUnstorable(value);
}

// Size of a parsed body, bytes. Without a usable `Content-Length`, it is estimated by the size of the value's JSON.
function sizeOf(value: unknown, headers: ServiceRequest['headers']): number {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  return length !== undefined && encoding === 'identity' ? Number(length) : Buffer.byteLength(JSON.stringify(value));
}

function parseFields(bytes: Uint8Array, header: Header, accepts: FieldsReading['accepts']): unknown {
  const type = mediaType(header);
  if (isJsonType(type) && accepts.has('json')) return parseJson(decodeText(bytes, 'JSON'));
  if (isForm(type) && accepts.has('form')) return parseQuery(decodeText(bytes, 'Form'), false);
  throw unsupportedType(header, typesOf(accepts));
}

async function collect(source: MultipartSource, limits: PartLimits): Promise<Readonly<Record<string, string | File>>> {
  const found: Record<string, string | File> = {};
  for await (const part of readParts(source, limits)) {
    if (part.kind === 'field') {
      setOnce(found, part.name, part.value);
      continue;
    }
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of part.chunks) chunks.push(Uint8Array.from(chunk));
    if (part.filename === '' && chunks.length === 0) continue;
    setOnce(found, part.name, new File(chunks, part.filename, { type: part.type }));
  }
  return found;
}

const TYPES: Readonly<Record<FieldsKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

const typesOf = (kinds: ReadonlySet<FieldsKind>): readonly string[] => [...kinds].map((kind) => TYPES[kind]);

function isForm(type: string): boolean {
  return type === TYPES.form;
}
