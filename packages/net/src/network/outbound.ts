import type http from 'node:http';
import { type LookupFunction, isIP } from 'node:net';
import { shownAddress, NetError } from '../errors.ts';
import { NetResponse } from './response.ts';
import { specialRange } from './ip-ranges.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

/** A request to send. */
export interface Outgoing {
  /** http(s) address without user name and password. */
  readonly href: string;
  /** Default: GET. */
  readonly method?: Method;
  /** Headers without credentials; also sent after a redirect. */
  readonly headers: Readonly<Record<string, string>>;
  /** `Authorization` header; sent only to the origin of `href`. */
  readonly authorization?: string | undefined;
  /** Other headers with credentials; sent only to the origin of `href`. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

interface OutboundOptions {
  /** Allowed origins whose hosts are not public. */
  readonly allowed: ReadonlySet<string>;
  readonly lookup: LookupFunction;
}

const MAX_REDIRECTS = 5;
/** Idle connections are closed after this time, ms, before the server closes them. */
const IDLE_MS = 4000;

/** Default headers. Some servers refuse clients without a user agent. */
const USUAL = { accept: '*/*', 'user-agent': 'headwater' } as const;

interface Transport {
  readonly request: typeof http.request;
  readonly agent: http.Agent;
}

/**
 * Opens the HTTP client of a protocol. It is imported at the first request, because a thread that reads only local
 * files starts twice as fast without it.
 */
async function openTransport(protocol: string): Promise<Transport> {
  const { request, Agent } = await (protocol === 'https:' ? import('node:https') : import('node:http'));
  return { request, agent: new Agent({ keepAlive: true, timeout: IDLE_MS }) };
}

interface Hop {
  readonly url: URL;
  readonly method: Method;
  readonly body: Outgoing['body'];
}

/**
 * Sends requests only to public addresses (`specialRange`) and allowed origins; checks each redirect. Throws
 * `input_data` for other addresses.
 */
export class Outbound {
  readonly #allowed: ReadonlySet<string>;
  readonly #lookup: LookupFunction;
  readonly #transports = new Map<string, Promise<Transport>>();

  constructor({ allowed, lookup }: OutboundOptions) {
    this.#allowed = allowed;
    this.#lookup = lookup;
  }

  /** Returns the response after redirects; the caller must read or discard its body. The signal also aborts reading. */
  async send(outgoing: Outgoing, signal: AbortSignal): Promise<NetResponse> {
    const { href, method = 'GET', body } = outgoing;
    let hop: Hop = { url: addressOf(href, undefined), method, body };
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#once(hop, outgoing, signal);
      const location = isRedirect(answer.status) ? answer.header('location') : undefined;
      if (location === undefined) return answer;
      answer.discard();
      if (redirects === MAX_REDIRECTS)
        throw refusal(href, `it redirects more than ${MAX_REDIRECTS} times; give the final address`);
      hop = this.#redirected(hop, answer.status, location);
    }
  }

  #redirected({ url: from, method, body }: Hop, status: number, location: string): Hop {
    const url = addressOf(location, from);
    this.checkStep(from, url);
    // Only 307 and 308 keep the method and the body. After other statuses, a HEAD stays a HEAD, and other methods
    // become GET, as a POST does in browsers.
    if (status === 307 || status === 308) return { url, method, body };
    return { url, method: method === 'HEAD' ? 'HEAD' : 'GET', body: undefined };
  }

  /** Throws `input_data` for a link from an https address to an http address whose origin is not allowed. */
  checkStep(from: URL, to: URL): void {
    if (from.protocol !== 'https:' || to.protocol === 'https:' || this.#allowed.has(to.origin)) return;
    throw refusal(from.href, `it leads to ${to.origin} without encryption; let the operator of this service allow it`);
  }

  #transportOf(protocol: string): Promise<Transport> {
    const transport = this.#transports.get(protocol) ?? openTransport(protocol);
    this.#transports.set(protocol, transport);
    return transport;
  }

  async #once({ url, method, body }: Hop, outgoing: Outgoing, signal: AbortSignal): Promise<NetResponse> {
    const { request: ask, agent } = await this.#transportOf(url.protocol);
    const { headers, authorization, secretHeaders = {}, href } = outgoing;
    const isOwn = url.origin === new URL(href).origin;
    const options = {
      method,
      signal,
      agent,
      lookup: this.#allowed.has(url.origin) ? this.#lookup : guardedLookup(url, this.#lookup),
      headers: {
        ...USUAL,
        ...headers,
        ...(isOwn ? secretHeaders : {}),
        ...(isOwn && authorization !== undefined ? { authorization } : {}),
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    };
    return new Promise((resolve, reject) => {
      const request = ask(url, options);
      request.on('error', reject);
      request.on('response', (message) => resolve(new NetResponse(message, shownAddress(url.href))));
      request.end(body);
    });
  }
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Throws `input_data` for an address that cannot be requested. */
function addressOf(href: string, base: URL | undefined): URL {
  const url = URL.canParse(href, base?.href) ? new URL(href, base) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  const shown = base?.href ?? href;
  const what = base === undefined ? 'this address' : 'it redirects to an address that';
  throw refusal(shown, `${what} is not allowed; give an http(s) address without user name and password`);
}

/**
 * Lookup function of a connection. A name is resolved once and only checked addresses are used, because a second
 * resolution could return another address. Throws `input_data` for a host that is not public.
 */
function guardedLookup(url: URL, lookup: LookupFunction): LookupFunction {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const range = isIP(host) === 0 ? undefined : specialRange(host);
  // An IP address is checked here, because its connection does not call the lookup function.
  if (range !== undefined) throw notPublic(url, range);
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const open = addresses.filter(({ address }) => specialRange(address) === undefined);
      const [first] = open;
      if (first === undefined) return callback(notPublic(url, specialRange(addresses[0]?.address ?? '') ?? ''), []);
      if (options.all === true) return callback(null, open);
      return callback(null, first.address, first.family);
    });
  };
}

/** Error for a host that is not public. It does not contain the IP address, which could reveal the internal network. */
const notPublic = (url: URL, range: string): NetError =>
  refusal(
    url.href,
    `it leads to a ${range} address, to which no requests are sent; use a public address, or let the operator of this service allow ${url.origin}`,
  );

function refusal(href: string, problem: string): NetError {
  const file = shownAddress(href);
  return new NetError('input_data', `${file}: ${problem}`, { details: { file } });
}
