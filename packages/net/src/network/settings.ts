import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Limits of retries, and allowed origins that are not public. */
export interface NetworkSettings {
  /** Waiting budget, ms, shared by all requests for one piece of work in one thread. */
  readonly patienceMs: number;
  /**
   * Maximum wait for a name that cannot be resolved, ms. Shorter than the budget, because a mistyped name never
   * resolves.
   */
  readonly unresolvedMs: number;
  /**
   * Minimum number of attempts, even if they exceed the budget. This minimum does not apply if the server requests a
   * pause.
   */
  readonly tries: number;
  /**
   * Upper limit of the first pause, ms. The limit doubles with each pause. A pause is random, between half of its limit
   * and the limit.
   */
  readonly firstPauseMs: number;
  /** Maximum pause, ms, unless the server requests a longer one. */
  readonly longestPauseMs: number;
  /** Time limit of one attempt with its response, ms. */
  readonly timeoutMs: number;
  /** Time limit of one search for scenes with all its pages, ms. */
  readonly searchMs: number;
  /**
   * Allowed origins (`http://10.0.0.5:8080`) on this machine or in a private network. Other origins on this
   * machine or in private networks are refused, also as targets of redirects.
   */
  readonly allowedOrigins: readonly string[];
  /** True if worker threads report their requests to `watchOutgoing` in the main thread. */
  readonly sharesRequests: boolean;
}

/** Default settings. The budget of ten minutes is longer than the restart of a server or the window of a rate limit. */
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
  /** Current time, epoch ms. */
  readonly now: () => number;
  /** Resolves after `ms` or when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Random number in [0, 1), so that clients pause differently. */
  readonly random: () => number;
  /** Signal that aborts after `ms`. */
  readonly timeout: (ms: number) => AbortSignal;
  /** Resolves host names. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** Time and random numbers of the platform. */
export const SYSTEM_TOOLS: NetworkTools = {
  now: () => Date.now(),
  // `sleep` must not reject, and Node's `setTimeout` rejects if the signal aborts.
  sleep: (ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {}),
  random: Math.random,
  timeout: (ms) => AbortSignal.timeout(ms),
};

/** The resolver of the system. */
export const SYSTEM_LOOKUP: LookupFunction = (name, options, callback) => dns.lookup(name, options, callback);
