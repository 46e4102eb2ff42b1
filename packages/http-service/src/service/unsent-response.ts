import type { ServiceResponse } from '../seam/request.ts';

/** Headers of a response that is not sent yet. */
export type MutableHeaders = Record<string, string | readonly string[]>;

/** A response whose headers can still be changed. */
export interface UnsentResponse extends ServiceResponse {
  readonly headers: MutableHeaders;
}

/** Adds the name of a request header to `Vary`, once: caches store the variants separately. */
export function addVary(headers: MutableHeaders, name: string): void {
  const { vary } = headers;
  if (vary === undefined || vary.length === 0) headers['vary'] = name;
  else if (!isNamed(String(vary), name)) headers['vary'] = `${String(vary)}, ${name}`;
}

// Most responses vary by few names, spelled like this one.
function isNamed(vary: string, name: string): boolean {
  return vary.includes(name) && vary.split(/\s*,\s*/).includes(name);
}

/** The same response for HEAD: its length without its body. */
export function withoutBody({ status, headers, body }: UnsentResponse): UnsentResponse {
  if (typeof body === 'string') headers['content-length'] ??= String(Buffer.byteLength(body));
  if (body instanceof Uint8Array) headers['content-length'] ??= String(body.byteLength);
  // An error of cancelling does not matter: the response has no body.
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  return { status, headers, body: undefined };
}
