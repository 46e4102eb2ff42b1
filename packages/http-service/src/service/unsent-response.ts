import type { ServiceResponse } from '../seam/request.ts';

/** Headers of a response that is not sent yet. */
export type MutableHeaders = Record<string, string | readonly string[]>;

/** A response whose headers can still be changed. */
export interface UnsentResponse extends ServiceResponse {
  readonly headers: MutableHeaders;
}

/** Adds the name of a request header to `Vary`, unless it is already there. Caches then store a response for each value of this header. */
export function addVary(headers: MutableHeaders, name: string): void {
  const { vary } = headers;
  if (vary === undefined || vary.length === 0) headers['vary'] = name;
  else if (!isNamed(String(vary), name)) headers['vary'] = `${String(vary)}, ${name}`;
}

// `includes` is faster than splitting the text, and is already false for most responses, because most have few names in `Vary`.
function isNamed(vary: string, name: string): boolean {
  return vary.includes(name) && vary.split(/\s*,\s*/).includes(name);
}

/** Converts a response for HEAD: keeps its length and removes its body. */
export function withoutBody({ status, headers, body }: UnsentResponse): UnsentResponse {
  if (typeof body === 'string') headers['content-length'] ??= String(Buffer.byteLength(body));
  if (body instanceof Uint8Array) headers['content-length'] ??= String(body.byteLength);
  // An error of `cancel` is ignored, because the body is not sent.
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  return { status, headers, body: undefined };
}
