import type { ServiceResponse } from '../seam/request.ts';

/** Headers that can still be changed. */
export type MutableHeaders = Record<string, string | readonly string[]>;

/** Response whose headers can still be changed. */
export interface UnsentResponse extends ServiceResponse {
  readonly headers: MutableHeaders;
}

/** Adds the name of a request header to `Vary`. */
export function addVary(headers: MutableHeaders, name: string): void {
  const { vary } = headers;
  if (vary === undefined || vary.length === 0) headers['vary'] = name;
  else if (!isNamed(String(vary), name)) headers['vary'] = `${String(vary)}, ${name}`;
}

// `includes` is faster than splitting, and is false for most responses.
function isNamed(vary: string, name: string): boolean {
  return vary.includes(name) && vary.split(/\s*,\s*/).includes(name);
}

/** Returns the response without its body, as for HEAD. A stream is cancelled. */
export function withoutBody({ status, headers, body }: UnsentResponse): UnsentResponse {
  if (typeof body === 'string') headers['content-length'] ??= String(Buffer.byteLength(body));
  if (body instanceof Uint8Array) headers['content-length'] ??= String(body.byteLength);
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  return { status, headers, body: undefined };
}
