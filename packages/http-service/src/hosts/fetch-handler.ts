import { payloadTooLarge } from '../reading/too-large.ts';
import type { RequestBody, Service, ServiceResponse } from '../seam/request.ts';

/** What the host of a fetch handler knows beside the request. */
export interface FetchContext {
  /** Address of the peer: failed sign-ins are counted by it. Without one all clients share one count for each name. */
  readonly remoteAddress?: string;
}

/** The service as a fetch handler, for Hono, Bun, Deno and tests. Paths that are not ours get our 404. */
export function toFetchHandler(service: Service): (request: Request, context?: FetchContext) => Promise<Response> {
  return async (request, context) => {
    const { pathname, search } = new URL(request.url);
    const response = await service.execute({
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: bodyOf(request),
      remoteAddress: context?.remoteAddress,
      signal: request.signal,
    });
    // Bytes are copied into an ArrayBuffer of their own: the platform's types allow no shared memory here.
    const content = response.body instanceof Uint8Array ? Uint8Array.from(response.body) : response.body;
    try {
      return new Response(content ?? null, { status: response.status, headers: headersOf(response) });
    } catch (error) {
      // A header that the platform refuses.
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
  };
}

/**
 * Reads chunks up to `limit` bytes, whether or not a length was declared. Throws `payload_too_large` beyond; the rest
 * is left to the host, which drains or closes as it does for every early answer.
 */
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
