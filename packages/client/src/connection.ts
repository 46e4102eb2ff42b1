import type { components } from './api.generated.ts';
import { clientError, errorOf, isHeadwaterError, jsonOf } from './errors.ts';

/** Tokens of a session. `access` authenticates requests; `refresh` can be exchanged once for new tokens. */
export type Tokens = components['schemas']['Tokens'];

/** Options of a client. */
export interface ClientOptions {
  /** Address of the service with its prefix, if any: `https://example.org/headwater`. */
  readonly baseUrl: string;
  /** API key, which gives access to the public data. */
  readonly apiKey?: string | undefined;
  /** Tokens of an earlier sign-in. */
  readonly tokens?: Tokens | undefined;
  /**
   * Receives the tokens after each sign-in and refresh, and undefined at the end of the session. Use it to store the
   * tokens.
   */
  readonly onTokens?: ((tokens: Tokens | undefined) => void) | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Connection to a service: adds credentials, renews an expired token once per request, and throws errors. */
export interface Connection {
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string;
  tokens: Tokens | undefined;
  /**
   * Sends a request. If the token has expired, renews it and sends the request that `again` returns, or a copy of the
   * first request. If `again` is null, the request can be sent only once, so the token is always renewed first.
   * Throws a `HeadwaterError` if the status is not a success.
   */
  send(request: Request, again?: (() => Request) | null): Promise<Response>;
}

/** Resolves an address. A path is relative to the service, with or without a slash at its start. */
export const addressAt = (baseUrl: string, address: string): URL =>
  new URL(address.startsWith('/') ? baseUrl + address : address, `${baseUrl}/`);

/** Connects to the service of the options. Throws if the address cannot be parsed. */
export function connect({ baseUrl, apiKey, tokens, onTokens, fetch = globalThis.fetch }: ClientOptions): Connection {
  const base = new URL(baseUrl).href.replace(/\/+$/, '');
  let current = tokens;
  let refreshing: { readonly used: Tokens; readonly done: Promise<void> } | undefined;
  const isOwn = ({ url }: Request): boolean => url.startsWith(`${base}/`);

  const plain = async (request: Request): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(request);
    } catch (cause) {
      if (request.signal.aborted) throw cause;
      const message = `${new URL(request.url).origin} does not respond; check the address and that the service runs`;
      throw clientError({ code: 'no_response', message, cause });
    }
    if (!response.ok) throw await errorOf(response, request);
    return response;
  };
  // Only the service gets credentials, because the address of a file may be on another server.
  const withCredentials = async (request: Request): Promise<Response> => {
    if (!isOwn(request)) return await plain(request);
    if (current !== undefined) request.headers.set('authorization', `Bearer ${current.access}`);
    if (apiKey === undefined) return await plain(request);
    request.headers.set('x-api-key', apiKey);
    // A redirect could send the key to another server, so redirects are errors.
    return await plain(new Request(request, { redirect: 'error' }));
  };
  const connection: Connection = {
    baseUrl: base,
    get tokens() {
      return current;
    },
    set tokens(tokens) {
      current = tokens;
      onTokens?.(tokens);
    },
    async send(request, again) {
      const used = current;
      if (used === undefined || !isOwn(request)) return await withCredentials(request);
      if (again === null) {
        await renew(used);
        return await withCredentials(request);
      }
      const copy = again === undefined ? request.clone() : undefined;
      try {
        return await withCredentials(request);
      } catch (error) {
        if (!isHeadwaterError(error) || error.code !== 'token_not_valid') throw error;
        await renew(used);
        if (current === undefined) throw error;
        return await withCredentials(copy ?? again?.() ?? request);
      }
    },
  };
  // A refresh token can be used only once, so simultaneous requests share one refresh.
  async function renew(used: Tokens): Promise<void> {
    if (current !== used) return;
    if (refreshing?.used !== used) refreshing = { used, done: refresh(used) };
    await refreshing.done;
  }
  async function refresh(used: Tokens): Promise<void> {
    const body = JSON.stringify({ refresh: used.refresh });
    // Does nothing if the user signed in or out during the refresh.
    const replace = (tokens: Tokens | undefined): void => {
      if (current === used) connection.tokens = tokens;
    };
    const headers = { 'content-type': 'application/json' };
    try {
      const request = new Request(`${base}/api/v1/auth/token/refresh/`, { method: 'POST', headers, body });
      replace((await jsonOf(await plain(request), request)) as Tokens);
    } catch (error) {
      if (!isHeadwaterError(error) || error.status !== 401) throw error;
      replace(undefined);
    } finally {
      if (refreshing?.used === used) refreshing = undefined;
    }
  }
  return connection;
}
