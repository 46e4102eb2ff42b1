import { DomainError } from '@headwater/core';
import { isStorable } from '../schemas/text.ts';
import type { ServiceRequest } from '../seam.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/i;

/**
 * Reads a JSON body late and within `limit` bytes. No bytes -> undefined, whatever the content type says.
 * Throws `payload_too_large`, `unsupported_media_type` or `parse`.
 */
export async function readJson(request: ServiceRequest, limit: number): Promise<unknown> {
  const { body } = request;
  if (body.kind === 'none') return undefined;
  if (body.kind === 'parsed') return refuseUnstorable(body.value);
  const bytes = await body.read(limit);
  if (bytes.byteLength === 0) return undefined;
  checkType(request.headers['content-type']);
  return parseJson(decodeText(bytes));
}

/** The error that body readers throw beyond their limit. */
export function payloadTooLarge(limit: number): DomainError {
  return new DomainError('payload_too_large', `body: larger than ${limit} bytes; send less`);
}

// No content type at all is read as JSON (RFC 9110 8.3 lets a recipient assume), anything else must say so.
function checkType(header: string | readonly string[] | undefined): void {
  if (header === 'application/json') return;
  const type = typeof header === 'string' ? (header.split(';')[0] ?? '').trim() : undefined;
  if (header === undefined || type === '' || (type !== undefined && JSON_TYPE.test(type))) return;
  throw new DomainError(
    'unsupported_media_type',
    `Unsupported media type "${String(header).slice(0, 100)}" in request.`,
  );
}

function decodeText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new DomainError('parse', 'JSON parse error - the body is not UTF-8');
  }
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('parse', `JSON parse error - ${error instanceof Error ? error.message : 'malformed'}`);
  }
  // Raw NUL and raw surrogates cannot get this far (JSON grammar, fatal UTF-8): only escapes can smuggle them in.
  return text.includes('\\u') ? refuseUnstorable(value) : value;
}

function refuseUnstorable(root: unknown): unknown {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'string' && !isStorable(value)) {
      throw new DomainError('parse', 'JSON parse error - text holds a NUL or a lone surrogate, which cannot be stored');
    }
    if (typeof value === 'object' && value !== null)
      for (const entry of Object.entries(value)) stack.push(entry[0], entry[1]);
  }
  return root;
}
