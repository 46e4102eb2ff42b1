import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Limits for retries, and origins that are allowed although they are not public. */
export interface NetworkSettings {
  /** Waiting budget, ms. All requests for one piece of work in one thread share this budget. */
  readonly patienceMs: number;
  /**
   * Maximum wait for a host whose name cannot be resolved, ms. This limit is smaller than the waiting budget, because a mistyped
   * name will never be resolved.
   */
  readonly unresolvedMs: number;
  /**
   * Minimum number of attempts per address. Unless the server requests a pause, this number of attempts is made even if
   * the budget is used up.
   */
  readonly tries: number;
  /** First pause, ms; each following pause is twice as long. */
  readonly firstPauseMs: number;
  /** Maximum pause, ms. A pause that the server requests may be longer. */
  readonly longestPauseMs: number;
  /** Time limit of one request with its response, ms. */
  readonly timeoutMs: number;
  /** Time limit of one search for scenes with all its pages, ms. */
  readonly searchMs: number;
  /**
   * Origins (`http://10.0.0.5:8080`) that are allowed although their hosts are on this machine or in a private network. Requests to all other
   * origins on such hosts, also redirects to such origins, are refused after the name is resolved.
   */
  readonly allowedOrigins: readonly string[];
  /** True if worker threads report their requests to `watchOutgoing` in the main thread. */
  readonly sharesRequests: boolean;
}

/**
 * Default settings. The waiting budget of ten minutes is longer than the restart of a server or the window of a rate limit. If an outage is longer,
 * the run fails and is retried later.
 */
export const NETWORK_DEFAULTS: NetworkSettings = {
  patienceMs: 600_000,
  unresolvedMs: 120_000,
  tries: 4,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  timeoutMs: 30_000,
  searchMs: 1_800_000,
  allowedOrigins: [],
  sharesRequests: false,
};

/** Time, randomness and name resolution, injected for tests. */
export interface NetworkTools {
  /** Returns the current time, ms since 1970 UTC. */
  readonly now: () => number;
  /** Resolves after `ms`, or when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /**
   * Returns a random number in [0, 1). Pauses depend on this number, so that many clients pause for different times.
   */
  readonly random: () => number;
  /** Returns a signal that aborts after `ms`. */
  readonly timeout: (ms: number) => AbortSignal;
  /** Resolves host names; default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** Time and random numbers of the platform. */
export const SYSTEM_TOOLS: NetworkTools = {
  now: () => Date.now(),
  // Node's `setTimeout` rejects only if the signal aborts. The rejection is ignored, because `sleep` must not reject.
  sleep: (ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {}),
  random: Math.random,
  timeout: (ms) => AbortSignal.timeout(ms),
};

/** The resolver of the system. */
export const SYSTEM_LOOKUP: LookupFunction = (name, options, callback) => dns.lookup(name, options, callback);
