import { setImmediate } from 'node:timers/promises';
import { DomainError, isDomainError, messageOf, publicAddress, type SceneQuery } from '@headwater/core';
import { type NetResponse, type Network, transientFailure, TransientFailure } from '@headwater/net';
import { searchableBox } from './boxes.ts';
import { authorization, isRequestable, resolveHref, withoutUser } from './href.ts';
import { isGood, jsonOf, JSON_HEADERS } from './json-response.ts';
import { type ItemSink, asList, asObject, asText, own, type JsonObject } from './json.ts';

/** STAC API to search. */
export interface StacApiOptions {
  /**
   * Address of the landing page. User name and password are sent as a header. A query string is sent with the requests
   * for the first page and for a Collection. User name, password and query string are never shown or stored.
   */
  readonly url: string;
  /** Collections to search; default: `sentinel-2-l2a`. */
  readonly collections?: readonly string[];
  /** Items per page; default 200. */
  readonly limit?: number;
}

interface PageRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body: JsonObject | undefined;
}

/** Maximum number of pages, because a server may always send a new `next` link. */
const MAX_PAGES = 500;

/** Time of adding Items before other work of the event loop may run, ms. */
const TURN_MS = 20;

/** Box and period of Items; without period, any time. */
export type ItemQuery = Pick<SceneQuery, 'bbox' | 'signal'> & Partial<Pick<SceneQuery, 'start' | 'end'>>;

/** Running search. */
export interface ApiSearch {
  readonly query: ItemQuery;
  readonly into: ItemSink;
  /** Network that retries requests to an overloaded or silent API. */
  readonly network: Network;
}

/**
 * Searches a STAC API with POST /search, following `next` links. Throws `unavailable` if a request fails
 * (after retries, if they may help), `input_data` for endless or forbidden links.
 */
export async function searchStacApi(options: StacApiOptions, { query, into, network }: ApiSearch): Promise<void> {
  let request: PageRequest | undefined = firstPage(options, query);
  const seen = new Set<string>();
  for (let page = 0; request !== undefined; page++) {
    const key = JSON.stringify(request);
    if (page >= MAX_PAGES || seen.has(key)) throw faulty(options.url, 'its next links do not end');
    seen.add(key);
    const answer = await readPage(options, request, { network, signal: query.signal });
    await addAll(asList(own(answer, 'features')), request.url, into);
    const next = nextPage(options, answer, request);
    if (next !== undefined) checkNext(options, { from: request.url, to: next.url, network });
    request = next;
  }
}

/** Adds the Items of a page. A server may send more Items than requested, so other work may run between Items. */
async function addAll(features: readonly unknown[], page: string, into: ItemSink): Promise<void> {
  let since = performance.now();
  for (const feature of features) {
    into.add(feature, itemHref(feature, page));
    if (performance.now() - since < TURN_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}

function firstPage({ url, collections, limit }: StacApiOptions, query: ItemQuery): PageRequest {
  const body = {
    collections: collections ?? ['sentinel-2-l2a'],
    bbox: searchableBox(query.bbox),
    ...datetimeOf(query),
    limit: limit ?? 200,
  };
  return { url: addressBelow(url, 'search'), method: 'POST', body };
}

/**
 * Period as a STAC interval. A STAC interval includes its end, but the period of a query does not:
 * `createSceneCollector` leaves out scenes whose time is exactly `end`.
 */
function datetimeOf({ start, end }: ItemQuery): { readonly datetime?: string } {
  if (start === undefined || end === undefined) return {};
  return { datetime: `${new Date(start).toISOString()}/${new Date(end).toISOString()}` };
}

function addressBelow(url: string, path: string): string {
  if (!URL.canParse(url)) throw unavailable(url, 'its address is not a URL');
  const address = new URL(withoutUser(url));
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${path}`;
  return address.href;
}

/** Reads a Collection, with the retries and errors of `searchStacApi`. */
export async function readStacCollection(options: StacApiOptions, id: string, reach: Reach): Promise<JsonObject> {
  const url = addressBelow(options.url, `collections/${encodeURIComponent(id)}`);
  const collection = await readDocument(options, { url, method: 'GET', body: undefined }, reach);
  if (own(collection, 'type') !== 'Collection') throw faulty(options.url, `${publicAddress(url)} is not a Collection`);
  return collection;
}

interface Reach {
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
}
interface Until extends Reach {
  readonly signal: AbortSignal;
}

/** Step from a page to the next, and the network that checks the step. */
interface Step {
  readonly from: string;
  readonly to: string;
  readonly network: Network;
}

/**
 * Reads a page. For a document without features, throws `unavailable` without a retry, because the API would send the
 * same document.
 */
async function readPage(options: StacApiOptions, request: PageRequest, reach: Reach): Promise<JsonObject> {
  const page = await readDocument(options, request, reach);
  if (!Array.isArray(own(page, 'features'))) throw unavailable(options.url, 'its response is not a FeatureCollection');
  return page;
}

async function readDocument(
  options: StacApiOptions,
  request: PageRequest,
  { network, signal }: Reach,
): Promise<JsonObject> {
  const { url } = options;
  const shown = `${request.method} ${publicAddress(request.url)}`;
  const ask = async (until: AbortSignal): Promise<JsonObject | TransientFailure> => {
    const answer = await send(options, request, { network, signal: until });
    if (isGood(answer)) return readAnswer(options, answer);
    const reason = `it responded with HTTP ${answer.status} to ${shown}`;
    const failure = transientFailure(answer, network.tools.now());
    if (failure === undefined) throw unavailable(url, reason);
    return new TransientFailure(reason, failure.retryAfterMs);
  };
  try {
    return await network.request({ shown: publicAddress(url), ask, signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!isDomainError(error)) throw unavailable(url, 'its response cannot be read');
    throw error.code === 'input_data' ? faulty(url, error.message) : error;
  }
}

function send(options: StacApiOptions, request: PageRequest, { network, signal }: Until): Promise<NetResponse> {
  const { url: href, method, body } = request;
  const headers = { ...JSON_HEADERS, ...(body && { 'content-type': 'application/json' }) };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return network.send({ href, method, headers, body: text, ...authorization(options.url, href) }, signal);
}

/** Throws `input_data` for a forbidden `next` link. */
function checkNext({ url }: StacApiOptions, { from, to, network }: Step): void {
  try {
    network.checkStep(from, to);
  } catch (error) {
    throw faulty(url, messageOf(error));
  }
}

/** Reads the document of a response. Throws `unavailable`, without a retry, if it is no object. */
async function readAnswer({ url }: StacApiOptions, answer: NetResponse): Promise<JsonObject> {
  const document = asObject(await parsed(answer));
  if (document === undefined) throw unavailable(url, 'its response is not a JSON object');
  return document;
}

async function parsed(answer: NetResponse): Promise<unknown> {
  try {
    return await jsonOf(answer);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const unavailable = (url: string, reason: string): DomainError =>
  new DomainError('unavailable', `${searched(url)}: ${reason}. Check its address or try again.`);

/** Error for a fault that a retry would not repair. */
const faulty = (url: string, reason: string): DomainError =>
  new DomainError('input_data', `${searched(url)}: ${reason}. Correct its address, or use another STAC API.`);

const searched = (url: string): string =>
  `The STAC API ${URL.canParse(url) ? publicAddress(url) : 'of the settings'} cannot be searched`;

/** Address of an Item, for messages and `derived_from`: its self link if allowed, otherwise the page's address. */
function itemHref(feature: unknown, page: string): string {
  const self = asList(own(asObject(feature) ?? {}, 'links'))
    .map(asObject)
    .find((link) => link !== undefined && own(link, 'rel') === 'self');
  const href = self && asText(own(self, 'href'));
  const target = href === undefined ? undefined : resolveHref(page, href);
  return target !== undefined && isRequestable(target) ? target : page;
}

/**
 * Request for the next page; undefined after the last page. The body of a link with `merge` is merged into the previous
 * body. Throws `input_data` for an invalid link.
 */
function nextPage({ url: api }: StacApiOptions, answer: JsonObject, before: PageRequest): PageRequest | undefined {
  const link = asList(own(answer, 'links'))
    .map(asObject)
    .find((entry) => entry !== undefined && own(entry, 'rel') === 'next');
  const href = link && asText(own(link, 'href'));
  if (link === undefined || href === undefined) return undefined;
  const url = resolveHref(before.url, href);
  if (url === undefined) throw faulty(api, 'one of its next links is not an http(s) address');
  const method = (asText(own(link, 'method')) ?? 'GET').toUpperCase() === 'POST' ? 'POST' : 'GET';
  if (method === 'GET') return { url, method, body: undefined };
  const body = asObject(own(link, 'body')) ?? {};
  return { url, method, body: own(link, 'merge') === true ? { ...before.body, ...body } : body };
}
