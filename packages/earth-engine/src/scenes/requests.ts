import { DomainError } from '@headwater/core/errors';
import type { SceneQuery } from '@headwater/core';
import { backoffMs, createLimit, type Limit, retry } from '@headwater/net/retry';
import { type ApiRequest, type FailureKind, type GoogleApi, PlatformError } from '../google-api.ts';

/** Remedies for the messages of failed requests for scenes. */
export const SCENE_REMEDIES: Readonly<Record<FailureKind, string>> = {
  transient: '.',
  quota: '. The quota of the project is spent; start the run again when quota is available.',
  denied:
    '. Register the project for Earth Engine, enable its API, and give the service account the roles Earth Engine Resource Viewer and Service Usage Consumer.',
  missing: '. Check the project of the service account.',
  exists: '.',
  refused: '. Report it to the operator of the service.',
};

/** Sleep and randomness, injected for tests. */
export interface RequestTools {
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  readonly random: () => number;
}

/** Settings of the requests of one account. */
export interface RequestSettings {
  /** Maximum number of concurrent requests of this process with the account. */
  readonly parallel: number;
  readonly tries: number;
  readonly timeoutMs: number;
  /** Largest uncompressed data of a request, bytes. Google refuses more than 48 MB. */
  readonly requestBytes: number;
}

/** Default settings. Google allows each project 40 concurrent interactive requests, and 6,000 requests a minute. */
export const DEFAULT_REQUESTS: RequestSettings = {
  parallel: 8,
  tries: 8,
  timeoutMs: 180_000,
  requestBytes: 16_000_000,
};

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Longest accepted pause of `Retry-After`, ms. For a longer pause, the run is parked. */
const LONGEST_WAIT_MS = 600_000;

interface Waiting {
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: SceneQuery['onWait'] | undefined;
}

/** Requests of one account, with a common limit and retries. Failures are domain errors with the id of the account. */
export interface Requests {
  readonly accountId: number;
  readonly origin: string;
  /** See `RequestSettings`. */
  readonly requestBytes: number;
  /** Memory of all concurrent requests, bytes: each response, and its decoded pixels. */
  readonly memoryBytes: number;
  readonly json: (request: Omit<ApiRequest, 'signal'>, waiting: Waiting) => Promise<Readonly<Record<string, unknown>>>;
  /**
   * Passes the requested pixels to `use`, which throws `PlatformError` if they are damaged. `onRequest` runs before
   * each attempt.
   */
  readonly pixels: <T>(request: PixelRequest<T>, waiting: Waiting) => Promise<T>;
}

/** A request for pixels. */
export interface PixelRequest<T> {
  readonly path: string;
  readonly json: object;
  readonly most: number;
  readonly onRequest: () => void;
  readonly use: (bytes: Uint8Array) => Promise<T>;
}

/** Dependencies of `createRequests`. */
export interface RequestParts {
  readonly accountId: number;
  readonly origin: string;
  readonly api: GoogleApi;
  readonly settings: RequestSettings;
  readonly tools: RequestTools;
  readonly limit: Limit;
  /** Called when the quota is spent, with the pause that the platform requests. */
  readonly onQuota: (pauseMs: number | undefined) => Promise<void>;
}

/** Creates a limit of concurrent requests for one account. */
export const createRequestLimit = ({ parallel }: RequestSettings): Limit => createLimit(parallel);

/** Creates the requests of an account. */
export function createRequests(parts: RequestParts): Requests {
  const { accountId, origin, api, settings, limit } = parts;
  const never = new AbortController().signal;
  const run = async <T>(work: (signal: AbortSignal) => Promise<T>, waiting: Waiting): Promise<T> => {
    const { signal = never } = waiting;
    try {
      return await retried(() => limit(() => attempt(work, signal)), parts, waiting);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PlatformError)) throw error;
      if (error.kind === 'quota') await parts.onQuota(error.retryAfterMs);
      throw failureOf(error, accountId);
    }
  };
  return {
    accountId,
    origin,
    requestBytes: settings.requestBytes,
    memoryBytes: 2 * settings.parallel * settings.requestBytes,
    json: (request, waiting) => run((signal) => api.request({ ...request, signal }), waiting),
    pixels: ({ path, json, most, onRequest, use }, waiting) =>
      run(async (signal) => {
        onRequest();
        const { timeoutMs } = settings;
        return use(await api.pixels({ host: 'earthEngine', path, method: 'POST', json, signal, timeoutMs }, most));
      }, waiting),
  };
}

function attempt<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return work(signal);
}

/** Retries transient failures. During a pause, a request does not count towards the limit. */
function retried<T>(
  work: () => Promise<T>,
  { settings, tools }: Pick<RequestParts, 'settings' | 'tools'>,
  { signal, onWait }: Waiting,
): Promise<T> {
  const { sleep, random } = tools;
  return retry(work, {
    signal,
    sleep: async (ms, until) => {
      await sleep(ms, until);
      onWait?.(null);
    },
    pauseAfter: (error, attempts) => {
      if (!(error instanceof PlatformError) || error.kind !== 'transient' || attempts >= settings.tries)
        return undefined;
      const { retryAfterMs = 0 } = error;
      if (retryAfterMs > LONGEST_WAIT_MS) return undefined;
      const backoff = backoffMs(attempts, { firstPauseMs: FIRST_PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS, random });
      onWait?.(`waiting for Earth Engine: ${error.message}`);
      return Math.max(backoff, retryAfterMs);
    },
  });
}

/** Error codes by kind of failure. Only runs with `unavailable` are retried later. */
const CODES = {
  transient: 'unavailable',
  quota: 'input_data',
  denied: 'input_data',
  missing: 'input_data',
  exists: 'upstream_failed',
  refused: 'upstream_failed',
} as const;

const failureOf = (error: PlatformError, accountId: number): DomainError =>
  new DomainError(CODES[error.kind], `Scenes of Earth Engine with account ${accountId}: ${error.message}`, {
    cause: error,
  });
