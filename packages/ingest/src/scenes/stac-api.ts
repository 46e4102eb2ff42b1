import { setImmediate } from 'node:timers/promises';
import { DomainError, isDomainError, messageOf, publicAddress, type SceneQuery } from '@headwater/core';
import { type NetResponse, type Network, transientFailure, TransientFailure } from '@headwater/net';
import { searchableBox } from './boxes.ts';
import { authorization, canAsk, resolveHref, withoutUser } from './href.ts';
import { isGood, jsonOf, JSON_HEADERS } from './json-answer.ts';
import type { ItemSink } from './item-sink.ts';
import { asList, asObject, asText, own, type JsonObject } from './json.ts';

/** A STAC API to search. */
export interface StacApiOptions {
  /**
   * Landing page, e.g. `https://earth-search.aws.element84.com/v1`. User name and password in it are sent as a header, its query with
   * the first page; neither is told to anybody else.
   */
  readonly url: string;
  /** Collections to search; default `sentinel-2-l2a`. */
  readonly collections?: readonly string[];
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

/** Time for which Items are taken at a stretch, ms. */
const TURN_MS = 20;

/** What is searched for: Items of a box, at any time where no period is given. */
export type ItemQuery = Pick<SceneQuery, 'bbox' | 'signal'> & Partial<Pick<SceneQuery, 'start' | 'end'>>;

/** A search under way. */
export interface ApiSearch {
  readonly query: ItemQuery;
  readonly into: ItemSink;
  /** Waits for an API that is busy or away. */
  readonly network: Network;
}

/**
 * Searches a STAC API (POST /search, `next` links followed with their method, body and merge). An API that is busy or away is
 * waited for; throws `unavailable` where that does not help, `input_data` where its links do not end or lead to what is not asked.
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
    if (next !== undefined) leadOn(options, { from: request.url, to: next.url, network });
    request = next;
  }
}

/** Others get their turn in between: a server may send more Items than it was asked for, and larger ones. */
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

/** STAC intervals are closed; the collector drops what lies exactly on the open end. */
function datetimeOf({ start, end }: ItemQuery): { readonly datetime?: string } {
  if (start === undefined || end === undefined) return {};
  return { datetime: `${new Date(start).toISOString()}/${new Date(end).toISOString()}` };
}

function addressBelow(url: string, path: string): string {
  if (!URL.canParse(url)) throw unavailable(url, 'its address is no URL');
  const address = new URL(withoutUser(url));
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${path}`;
  return address.href;
}

/** A Collection of a STAC API; waits and throws as `searchStacApi` does. */
export async function readStacCollection(options: StacApiOptions, id: string, reach: Reach): Promise<JsonObject> {
  const url = addressBelow(options.url, `collections/${encodeURIComponent(id)}`);
  const collection = await readDocument(options, { url, method: 'GET', body: undefined }, reach);
  if (own(collection, 'type') !== 'Collection') throw faulty(options.url, `${publicAddress(url)} is no Collection`);
  return collection;
}

/** How a page is asked for. */
interface Reach {
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
}
interface Until extends Reach {
  readonly signal: AbortSignal;
}

/** From one page to the next. */
interface Step {
  readonly from: string;
  readonly to: string;
  readonly network: Network;
}

/** Throws `unavailable` for an answer that is whole and yet no page: asking again gives the same. */
async function readPage(options: StacApiOptions, request: PageRequest, reach: Reach): Promise<JsonObject> {
  const page = await readDocument(options, request, reach);
  if (!Array.isArray(own(page, 'features'))) throw unavailable(options.url, 'its answer is no FeatureCollection');
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
    const reason = `it answered ${answer.status} to ${shown}`;
    const may = transientFailure(answer, network.tools.now());
    if (may === undefined) throw unavailable(url, reason);
    return new TransientFailure(reason, may.retryAfterMs);
  };
  try {
    return await network.request({ shown: publicAddress(url), ask, signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!isDomainError(error)) throw unavailable(url, 'its answer cannot be read');
    throw error.code === 'input_data' ? faulty(url, error.message) : error;
  }
}

function send(options: StacApiOptions, request: PageRequest, { network, signal }: Until): Promise<NetResponse> {
  const { url: href, method, body } = request;
  const headers = { ...JSON_HEADERS, ...(body && { 'content-type': 'application/json' }) };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return network.send({ href, method, headers, body: text, ...authorization(options.url, href) }, signal);
}

/** Throws `input_data` where a `next` link must not be followed. */
function leadOn({ url }: StacApiOptions, { from, to, network }: Step): void {
  try {
    network.checkStep(from, to);
  } catch (error) {
    throw faulty(url, messageOf(error));
  }
}

/** The object that an answer holds. Throws `unavailable` for one that is whole and yet none: asking again gives the same. */
async function readAnswer({ url }: StacApiOptions, answer: NetResponse): Promise<JsonObject> {
  const document = asObject(await parsed(answer));
  if (document === undefined) throw unavailable(url, 'its answer is no JSON object');
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

/** What another attempt would meet again. */
const faulty = (url: string, reason: string): DomainError =>
  new DomainError('input_data', `${searched(url)}: ${reason}. Correct its address, or use another STAC API.`);

const searched = (url: string): string =>
  `The STAC API ${URL.canParse(url) ? publicAddress(url) : 'given'} cannot be searched`;

/** The Item's own address, for messages and `derived_from`: its self link where that can be asked, else the page that it came on. */
function itemHref(feature: unknown, page: string): string {
  const self = asList(own(asObject(feature) ?? {}, 'links'))
    .map(asObject)
    .find((link) => link !== undefined && own(link, 'rel') === 'self');
  const href = self && asText(own(self, 'href'));
  const target = href === undefined ? undefined : resolveHref(page, href);
  return target !== undefined && canAsk(target) ? target : page;
}

/** The `next` link as a request; with `merge` its body is laid over the body sent before. Throws `input_data` for one that is none. */
function nextPage({ url: api }: StacApiOptions, answer: JsonObject, before: PageRequest): PageRequest | undefined {
  const link = asList(own(answer, 'links'))
    .map(asObject)
    .find((entry) => entry !== undefined && own(entry, 'rel') === 'next');
  const href = link && asText(own(link, 'href'));
  if (link === undefined || href === undefined) return undefined;
  const url = resolveHref(before.url, href);
  if (url === undefined) throw faulty(api, 'a next link of it is no http(s) address');
  const method = (asText(own(link, 'method')) ?? 'GET').toUpperCase() === 'POST' ? 'POST' : 'GET';
  if (method === 'GET') return { url, method, body: undefined };
  const body = asObject(own(link, 'body')) ?? {};
  return { url, method, body: own(link, 'merge') === true ? { ...before.body, ...body } : body };
}
