import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { BroadcastChannel } from 'node:worker_threads';
import { shownAddress } from '../errors.ts';
import { Network, type NetworkOptions } from './network.ts';
import type { NetworkSettings } from './settings.ts';

/** An outgoing request that got a response or failed. */
export interface OutgoingCall {
  readonly method: string;
  /** Address without user, query and fragment, because these parts may contain keys. */
  readonly address: string;
  readonly status: number | 'failed';
  readonly ms: number;
}

/** Diagnostic messages of Node's HTTP client and of `fetch`, with the members that are read. */
interface HttpCall {
  readonly request: ClientRequest;
  readonly response?: IncomingMessage;
}
interface FetchCall {
  readonly request: { readonly method: string; readonly origin: string | URL; readonly path: string };
  readonly response?: { readonly statusCode: number };
}

/**
 * Reports every outgoing request of this thread. It subscribes to the diagnostics channels of Node's HTTP clients, so that no request is
 * missed. Returns a function that ends the reports.
 */
function watchThread(report: (call: OutgoingCall) => void): () => void {
  const started = new WeakMap<object, number>();
  const msOf = (request: object): number => {
    const now = performance.now();
    return Math.round(now - (started.get(request) ?? now));
  };
  const begin = (message: unknown): void =>
    void started.set((message as HttpCall | FetchCall).request, performance.now());
  const ofHttp = (message: unknown): void => {
    const { request, response } = message as HttpCall;
    const { method, protocol, host, path } = request;
    const address = shownAddress(`${protocol}//${String(request.getHeader('host') ?? host)}${path}`);
    report({ method, address, status: response?.statusCode ?? 'failed', ms: msOf(request) });
  };
  const ofFetch = (message: unknown): void => {
    const { request, response } = message as FetchCall;
    const { method, origin, path } = request;
    const address = shownAddress(`${String(origin)}${path}`);
    report({ method, address, status: response?.statusCode ?? 'failed', ms: msOf(request) });
  };
  const listeners = [
    ['http.client.request.start', begin],
    ['http.client.response.finish', ofHttp],
    ['http.client.request.error', ofHttp],
    ['undici:request:create', begin],
    ['undici:request:headers', ofFetch],
    ['undici:request:error', ofFetch],
  ] as const;
  for (const [channel, listener] of listeners) subscribe(channel, listener);
  return () => listeners.forEach(([channel, listener]) => unsubscribe(channel, listener));
}

/** Name of the channel between the threads of a process. */
const CHANNEL = 'headwater outgoing requests';

/** Reports every outgoing request of this thread, and of worker threads with `threadNetwork`. Returns a function that ends the reports. */
export function watchOutgoing(report: (call: OutgoingCall) => void): () => void {
  const end = watchThread(report);
  const channel = new BroadcastChannel(CHANNEL);
  // All messages come from threads of this process, so they are not checked.
  channel.addEventListener('message', (event) => {
    if ('data' in event) report(event.data as OutgoingCall);
  });
  // The channel must not keep the process alive. `unref` is called after the listener was added, because adding a listener refs the channel.
  channel.unref();
  return () => {
    end();
    channel.close();
  };
}

/**
 * Creates the network of a worker thread; call it once per thread. With `sharesRequests` its requests are reported to `watchOutgoing` of
 * the process.
 */
export function threadNetwork(
  settings: Partial<NetworkSettings> | undefined,
  onWait: NetworkOptions['onWait'],
): Network {
  if (settings?.sharesRequests === true) shareOutgoing();
  return new Network({ settings, onWait });
}

function shareOutgoing(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
  watchThread((call) => channel.postMessage(call));
}
