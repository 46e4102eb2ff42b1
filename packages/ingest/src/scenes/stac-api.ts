import { DomainError, isDomainError, type SceneQuery } from '@headwater/core';
import { type Network, passing, Passing } from '@headwater/raster/network';
import { canAsk, resolveHref } from './href.ts';
import { asList, asObject, asText, own, type JsonObject } from './json.ts';
import type { SceneCollector } from './scene-filter.ts';

/** A STAC API to search. */
export interface StacApiOptions {
  /** Landing page, e.g. `https://earth-search.aws.element84.com/v1`. */
  readonly url: string;
  /** Collections to search; default `sentinel-2-l2a`. */
  readonly collections?: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  /** Items per page; default 200. */
  readonly limit?: number;
}

/** One request of a paged search. */
interface PageRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body: JsonObject | undefined;
}

/** Pages after which a search is given up: a server that repeats its `next` link would never end. */
const MAX_PAGES = 500;

/** A search under way. */
export interface ApiSearch {
  readonly query: SceneQuery;
  readonly into: SceneCollector;
  /** Waits for an API that is busy or away. */
  readonly network: Network;
}

/**
 * Searches a STAC API (POST /search, `next` links followed with their method, body and merge). An API that is busy or away is
 * waited for; throws `unavailable` where that does not help.
 */
export async function searchStacApi(options: StacApiOptions, { query, into, network }: ApiSearch): Promise<void> {
  let request: PageRequest | undefined = firstPage(options, query);
  const seen = new Set<string>();
  for (let page = 0; request !== undefined; page++) {
    const key = JSON.stringify(request);
    if (page >= MAX_PAGES || seen.has(key)) throw unavailable(options.url, 'its next links do not end');
    seen.add(key);
    if (!canAsk(request.url)) throw unavailable(options.url, 'a next link of it cannot be asked');
    const answer = await readPage(options, request, { network, signal: query.signal });
    for (const feature of asList(own(answer, 'features'))) into.add(feature, itemHref(feature, request.url));
    request = nextPage(answer, request);
  }
}

function firstPage({ url, collections, limit }: StacApiOptions, query: SceneQuery): PageRequest {
  // STAC intervals are closed; the collector drops what lies exactly on the open end.
  const body = {
    collections: collections ?? ['sentinel-2-l2a'],
    bbox: [...query.bbox],
    datetime: `${new Date(query.start).toISOString()}/${new Date(query.end).toISOString()}`,
    limit: limit ?? 200,
  };
  const search = new URL(bare(url));
  search.pathname = `${search.pathname.replace(/\/+$/, '')}/search`;
  return { url: search.href, method: 'POST', body };
}

/** The address without user name and password, which fetch refuses in a URL; they go into a header. */
function bare(url: string): string {
  if (!URL.canParse(url)) throw unavailable(url, 'its address is no URL');
  const address = new URL(url);
  address.username = '';
  address.password = '';
  return address.href;
}

/** Basic authorization of the user name and password in the API's address; only ever sent to the API's own origin. */
function authorization(url: string, target: string): { readonly authorization?: string } {
  const { username, password, origin } = new URL(url);
  if ((username === '' && password === '') || new URL(target).origin !== origin) return {};
  const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { authorization: `Basic ${btoa(String.fromCodePoint(...bytes))}` };
}

/** How a page is asked for. */
interface Reach {
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
}

async function readPage(
  options: StacApiOptions,
  request: PageRequest,
  { network, signal }: Reach,
): Promise<JsonObject> {
  const { url } = options;
  const shown = `${request.method} ${hideCredentials(request.url)}`;
  const ask = async (until: AbortSignal): Promise<JsonObject | Passing> => {
    const response = await send(options, request, until);
    if (response.ok) return readAnswer(options, response);
    await response.body?.cancel();
    const reason = `it answered ${response.status} to ${shown}`;
    const may = passing(response, network.tools.now());
    if (may === undefined) throw unavailable(url, reason);
    return new Passing(reason, may.retryAfterMs);
  };
  try {
    return await network.request({ shown: hideCredentials(url), ask, signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw isDomainError(error) ? error : unavailable(url, 'its answer cannot be read');
  }
}

function send(options: StacApiOptions, request: PageRequest, signal: AbortSignal): Promise<Response> {
  return options.fetch(request.url, {
    method: request.method,
    headers: {
      accept: 'application/geo+json, application/json',
      ...authorization(options.url, request.url),
      ...(request.body && { 'content-type': 'application/json' }),
    },
    signal,
    ...(request.body && { body: JSON.stringify(request.body) }),
  });
}

/** The page that an answer holds. Throws `unavailable` for one that is whole and yet no page: asking again gives the same. */
async function readAnswer({ url }: StacApiOptions, response: Response): Promise<JsonObject> {
  const answer = asObject(parsed(await response.text()));
  if (answer === undefined || !Array.isArray(own(answer, 'features')))
    throw unavailable(url, 'its answer is no FeatureCollection');
  return answer;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unavailable = (url: string, reason: string): DomainError =>
  new DomainError(
    'unavailable',
    `The STAC API ${hideCredentials(url)} cannot be searched: ${reason}. Check its address or try again.`,
  );

/** The address without user name, password and query. */
function hideCredentials(url: string): string {
  if (!URL.canParse(url)) return 'given';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** The Item's own address, for messages and `derived_from`: its self link, else the page that it came on. */
function itemHref(feature: unknown, page: string): string {
  const self = asList(own(asObject(feature) ?? {}, 'links'))
    .map(asObject)
    .find((link) => link !== undefined && own(link, 'rel') === 'self');
  const href = self && asText(own(self, 'href'));
  return (href === undefined ? undefined : resolveHref(page, href)) ?? page;
}

/** The `next` link as a request; with `merge` its body is laid over the body sent before. */
function nextPage(answer: JsonObject, before: PageRequest): PageRequest | undefined {
  const link = asList(own(answer, 'links'))
    .map(asObject)
    .find((entry) => entry !== undefined && own(entry, 'rel') === 'next');
  const href = link && asText(own(link, 'href'));
  const url = href === undefined ? undefined : resolveHref(before.url, href);
  if (link === undefined || url === undefined || !/^https?:/i.test(url)) return undefined;
  const method = (asText(own(link, 'method')) ?? 'GET').toUpperCase() === 'POST' ? 'POST' : 'GET';
  if (method === 'GET') return { url, method, body: undefined };
  const body = asObject(own(link, 'body')) ?? {};
  return { url, method, body: own(link, 'merge') === true ? { ...before.body, ...body } : body };
}
