import type { Harness } from './harness.ts';

/** Path prefix of the public data routes. */
export const API = '/api/v1/';

/** A response with parsed JSON. */
export interface JsonAnswer extends Pick<Response, 'status' | 'headers'> {
  readonly body: unknown;
}

/** Client that reads public data with the owner's API key. */
export interface PublicClient {
  /** Sends a request; `path` follows `/api/v1/`. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** Sends a GET with a query. */
  readonly ask: (route: string, query?: Readonly<Record<string, string>> | string) => Promise<JsonAnswer>;
}

/** Creates the client of a harness. */
export function publicClient(harness: () => Harness): PublicClient {
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('x-api-key', await harness().key());
    return await harness().get(API + path, { ...init, headers });
  };
  return {
    send,
    ask: async (route, query = {}) => {
      const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
      const answer = await send(`${route}/?${text}`);
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    },
  };
}
