import { DomainError, type SceneQuery } from '@headwater/core';
import { resolveHref } from './href.ts';
import { asList, asObject, asText, own, type JsonObject } from './json.ts';
import type { SceneCollector } from './scene-filter.ts';

/** A STAC API to search. */
export interface StacApiOptions {
  /** Landing page, e.g. `https://earth-search.aws.element84.com/v1`. */
  readonly url: string;
  /** Collections to search; default `sentinel-2-l2a`. */
  readonly collections?: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  /** Per request, ms; default 30,000. */
  readonly timeoutMs?: number;
  /** Pauses (ms) before a request is repeated that was answered 429, 502, 503 or 504; default 500, 2000, 5000. */
  readonly pausesMs?: readonly number[];
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

/** Searches a STAC API (POST /search, `next` links followed with their method, body and merge). Throws `unavailable`. */
export async function searchStacApi(options: StacApiOptions, query: SceneQuery, into: SceneCollector): Promise<void> {
  let request: PageRequest | undefined = firstPage(options, query);
  const seen = new Set<string>();
  for (let page = 0; request !== undefined; page++) {
    const key = JSON.stringify(request);
    if (page >= MAX_PAGES || seen.has(key)) throw unavailable(options.url, 'its next links do not end');
    seen.add(key);
    const answer = await readPage(options, request, query.signal);
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

/** Answers that pass: too many requests, and a server behind a proxy that is busy or restarts. */
const PASSING = new Set([429, 502, 503, 504]);
/** Pauses (ms) before a request is sent again. */
const PAUSES_MS: readonly number[] = [500, 2000, 5000];

/** Sends a request, again after a pause where the answer passes. */
async function send(options: StacApiOptions, url: string, init: RequestInit): Promise<Response> {
  for (const pause of options.pausesMs ?? PAUSES_MS) {
    const response = await options.fetch(url, init);
    if (!PASSING.has(response.status)) return response;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, pause));
    init.signal?.throwIfAborted();
  }
  return options.fetch(url, init);
}

async function readPage(
  options: StacApiOptions,
  request: PageRequest,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 30_000);
  try {
    const response = await send(options, request.url, {
      method: request.method,
      headers: {
        accept: 'application/geo+json, application/json',
        ...authorization(options.url, request.url),
        ...(request.body && { 'content-type': 'application/json' }),
      },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(request.body && { body: JSON.stringify(request.body) }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw unavailable(
        options.url,
        `it answered ${response.status} to ${request.method} ${hideCredentials(request.url)}`,
      );
    }
    const answer = asObject(await response.json());
    if (answer === undefined || !Array.isArray(own(answer, 'features'))) {
      throw unavailable(options.url, 'its answer is no FeatureCollection');
    }
    return answer;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DomainError) throw error;
    throw unavailable(options.url, reasonOf(error));
  }
}

const unavailable = (url: string, reason: string): DomainError =>
  new DomainError(
    'unavailable',
    `The STAC API ${hideCredentials(url)} cannot be searched: ${reason}. Check its address or try again.`,
  );

/** What went wrong on the way, without addresses: their queries may hold keys. The error itself is no cause, for the same reason. */
function reasonOf(error: unknown): string {
  const text =
    error instanceof Error
      ? [error.message, error.cause instanceof Error ? error.cause.message : ''].filter((t) => t !== '').join(': ')
      : String(error);
  return text.replace(/https?:\/\/\S+/gi, 'its address');
}

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
