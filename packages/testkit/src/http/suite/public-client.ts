import type { Harness } from './harness.ts';

/** Where routes of the public data begin. */
export const API = '/api/v1/';

/** An answer of JSON. */
export interface JsonAnswer extends Pick<Response, 'status' | 'headers'> {
  readonly body: unknown;
}

/** A program that reads the public data with the owner's API key. */
export interface PublicClient {
  /** `path` after `/api/v1/`. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** The answer of a route to a query, whole or by parameter. */
  readonly ask: (route: string, query?: Readonly<Record<string, string>> | string) => Promise<JsonAnswer>;
}

/** Makes the client of a harness. */
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
