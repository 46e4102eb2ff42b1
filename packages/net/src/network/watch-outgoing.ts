import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { shownAddress } from '../errors.ts';
import { Network, type NetworkOptions } from './network.ts';
import type { NetworkSettings } from './settings.ts';
import { threadChannel } from './thread-channel.ts';

/** An outgoing request that got a response or failed. */
export interface OutgoingCall {
  readonly method: string;
  /** Address without user, query and fragment, which may contain keys. */
  readonly address: string;
  readonly status: number | 'failed';
  readonly ms: number;
}

/** The used members of diagnostic messages of Node's HTTP clients. */
interface HttpCall {
  readonly request: ClientRequest;
  readonly response?: IncomingMessage;
}
interface FetchCall {
  readonly request: { readonly method: string; readonly origin: string | URL; readonly path: string };
  readonly response?: { readonly statusCode: number };
}

/**
 * Reports requests of this thread, by diagnostics channels, which also report requests of libraries. Returns a function
 * that stops the reports.
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

const channel = threadChannel<OutgoingCall>('headwater outgoing requests');

/**
 * Reports outgoing requests of this thread, and of worker threads with `threadNetwork` and `sharesRequests`. Returns a
 * function that stops the reports.
 */
export function watchOutgoing(report: (call: OutgoingCall) => void): () => void {
  const end = watchThread(report);
  const endOthers = channel.watch(report);
  return () => {
    end();
    endOthers();
  };
}

/**
 * Creates a network in a worker thread. With `sharesRequests`, each request is reported once to `watchOutgoing` in the
 * main thread.
 */
export function threadNetwork(
  settings: Partial<NetworkSettings> | undefined,
  onWait: NetworkOptions['onWait'],
): Network {
  if (settings?.sharesRequests === true) shareOutgoing();
  return new Network({ settings, onWait });
}

let isShared = false;

function shareOutgoing(): void {
  if (isShared) return;
  isShared = true;
  watchThread(channel.send);
}
