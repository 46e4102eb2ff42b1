import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Limits of retries of unresponsive servers, and origins that are allowed although they are not public. */
export interface NetworkSettings {
  /** Waiting budget of all requests of one piece of work in one thread together, ms. */
  readonly patienceMs: number;
  /** Largest share of that budget for hosts whose names cannot be resolved: a mistyped name stays unknown, ms. */
  readonly unresolvedMs: number;
  /** Minimum attempts per address, whatever is left of the budget. */
  readonly tries: number;
  /** First pause, ms; each following one is twice as long. */
  readonly firstPauseMs: number;
  /** Longest pause, ms, unless the server requests a longer one. */
  readonly longestPauseMs: number;
  /** Time limit of one request with its response, ms. */
  readonly timeoutMs: number;
  /** Time limit of one search for scenes with all its pages, ms. */
  readonly searchMs: number;
  /**
   * Origins (`http://10.0.0.5:8080`) that are allowed although their hosts are on this machine or in a private network. All others are
   * refused after their names are resolved, also as targets of redirects.
   */
  readonly allowedOrigins: readonly string[];
  /** True: worker threads share their requests with `watchOutgoing`. */
  readonly sharesRequests: boolean;
}

/** Ten minutes: longer than a restart or a rate limit's window, short enough that the run machine notices an outage. */
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
  /** Epoch ms. */
  readonly now: () => number;
  /** Resolves after `ms` or when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number in [0, 1) that spreads the pauses of many clients. */
  readonly random: () => number;
  /** A signal that aborts after `ms`. */
  readonly timeout: (ms: number) => AbortSignal;
  /** Resolves host names; default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** Time and randomness of the platform. */
export const SYSTEM_TOOLS: NetworkTools = {
  now: () => Date.now(),
  // The platform's pause rejects only when it is aborted.
  sleep: (ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {}),
  random: Math.random,
  timeout: (ms) => AbortSignal.timeout(ms),
};

/** The system's own resolver. */
export const SYSTEM_LOOKUP: LookupFunction = (name, options, callback) => dns.lookup(name, options, callback);
