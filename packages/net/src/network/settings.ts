import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How long and how often servers that do not answer are asked again, and which ones may be asked although they are not public. */
export interface NetworkSettings {
  /** Time that may pass in waiting, over all requests of one piece of work in one thread together, ms. */
  readonly patienceMs: number;
  /** Requests that are made of each address at least, whatever is left of the patience. */
  readonly tries: number;
  /** First pause, ms; each one after it is twice as long. */
  readonly firstPauseMs: number;
  /** Longest pause, ms, unless the server asks for more. */
  readonly longestPauseMs: number;
  /** Time for one request and its answer, ms. */
  readonly timeoutMs: number;
  /** Time for one search for scenes with all its pages, ms. */
  readonly searchMs: number;
  /**
   * Origins (`http://10.0.0.5:8080`) that are asked although their hosts lie on this machine or in a network that is not public. All
   * others are refused once their names are resolved, also where an address redirects to them.
   */
  readonly allowedOrigins: readonly string[];
}

/** Ten minutes: longer than a restart or a rate limit's window, short enough that the run machine notices an outage. */
export const NETWORK_DEFAULTS: NetworkSettings = {
  patienceMs: 600_000,
  tries: 4,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  timeoutMs: 30_000,
  searchMs: 1_800_000,
  allowedOrigins: [],
};

/** Time, chance and names, injected so that tests decide. */
export interface NetworkTools {
  /** Epoch ms. */
  readonly now: () => number;
  /** Resolves after `ms` or when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number of [0, 1) that spreads the pauses of many readers. */
  readonly random: () => number;
  /** A signal that aborts after `ms`. */
  readonly timeout: (ms: number) => AbortSignal;
  /** Resolves host names; default: as the system does. */
  readonly lookup?: LookupFunction;
}

/** Time and chance of the platform. */
export const SYSTEM_TOOLS: NetworkTools = {
  now: () => Date.now(),
  // The platform's pause rejects when it is aborted, and for no other reason.
  sleep: (ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {}),
  random: Math.random,
  timeout: (ms) => AbortSignal.timeout(ms),
};

/** The system's own resolver. */
export const SYSTEM_LOOKUP: LookupFunction = (name, options, callback) => dns.lookup(name, options, callback);
