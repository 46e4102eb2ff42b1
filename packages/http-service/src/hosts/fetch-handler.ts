import { payloadTooLarge } from '../reading/media-type.ts';
import type { RequestBody, Service, ServiceResponse } from '../seam/request.ts';

/** Facts about a request that the host of a fetch handler adds. */
export interface FetchContext {
  /**
   * Address of the client. Without it, all clients share the limits per address, and no client counts as being at a
   * loopback or private address.
   */
  readonly remoteAddress?: string;
  /** Number of trusted entries of `X-Forwarded-For`; see `ServiceRequest.trustedHops`. */
  readonly trustedHops?: number;
}

/** Options of a fetch handler. */
export interface FetchOptions {
  /** Path at which the host mounts the service, such as `/geo`. Default: none. */
  readonly prefix?: string;
}

/** Converts the service to a fetch handler. Requests outside of the prefix get an empty 404. */
export function toFetchHandler(
  service: Service,
  { prefix: given = '' }: FetchOptions = {},
): (request: Request, context?: FetchContext) => Promise<Response> {
  const prefix = given.replace(/\/+$/, '');
  if (prefix !== '' && !prefix.startsWith('/'))
    throw new Error(`prefix: ${JSON.stringify(given)} does not begin with a slash; write /${prefix}`);
  return async (request, context) => {
    const { pathname: whole, search } = new URL(request.url);
    const isBelow = whole === prefix || whole.startsWith(`${prefix}/`);
    if (!isBelow) return new Response(null, { status: 404 });
    const pathname = whole.slice(prefix.length) || '/';
    const response = await service.execute({
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: bodyOf(request),
      remoteAddress: context?.remoteAddress,
      ...(context?.trustedHops === undefined ? {} : { trustedHops: context.trustedHops }),
      signal: request.signal,
    });
    // The bytes are copied, because the types of `Response` do not allow shared memory.
    const content = response.body instanceof Uint8Array ? Uint8Array.from(response.body) : response.body;
    try {
      return new Response(content ?? null, { status: response.status, headers: headersOf(response) });
    } catch (error) {
      // If `Response` refuses a header, the host never gets the stream, so the stream is cancelled here.
      if (content instanceof ReadableStream) await content.cancel(error);
      throw error;
    }
  };
}

function headersOf({ headers }: ServiceResponse): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of typeof value === 'string' ? [value] : value) result.append(name, each);
  }
  return result;
}

function bodyOf(request: Request): RequestBody {
  const { body } = request;
  if (body === null) return { kind: 'none' };
  return {
    kind: 'stream',
    read: (limit) => readChunks(body, limit, request.headers.get('content-length')),
    chunks: () => body.values({ preventCancel: true }),
    // `cancel` rejects if the body is being read. The host then ends the body.
    drop: () => void body.cancel().catch(() => {}),
  };
}

/** Reads chunks up to `limit` bytes. Throws `payload_too_large` if there are more. */
export async function readChunks(
  source: AsyncIterable<Uint8Array>,
  limit: number,
  declared: string | null | undefined,
): Promise<Uint8Array> {
  if (declared !== null && declared !== undefined && Number(declared) > limit) throw payloadTooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > limit) throw payloadTooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
