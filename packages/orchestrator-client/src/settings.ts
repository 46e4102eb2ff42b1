import { type Clock, systemClock } from './clock.ts';
import { invalidRequest } from './errors.ts';
import { type BaseAddress, readAddress } from './http/address.ts';
import type { Credentials } from './http/credentials.ts';
import type { RequestNote } from './http/transport.ts';

/** Policy for a paused DAG: the orchestrator accepts runs of such a DAG but does not start them. */
export type UnpausePolicy = 'auto' | 'error' | 'never';

/** Bounds of a random pause, ms. */
export interface Interval {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Options of a client; only the address is required. */
export interface OrchestratorOptions {
  /** Root of the orchestrator, with or without `/api/v1` or `/api/v2`. */
  readonly baseUrl: string;
  readonly credentials?: Credentials;
  /** Timeout of a request with its response, ms. Default: 30 s. */
  readonly requestTimeoutMs?: number;
  /** Maximum attempts of a request, trigger or cancellation, at least 1. Default: 4. */
  readonly attempts?: number;
  /** Pause between two reads of a run. Default: 3 to 5 s. */
  readonly poll?: Interval;
  /** Longest tolerated outage, ms. Default: 10 minutes. */
  readonly patienceMs?: number;
  /** Time after which a `queued` run counts as stalled, ms; Infinity: never. Default: 10 minutes. */
  readonly stalledAfterMs?: number;
  /**
   * `auto` (default): unpause before a trigger; `error`: refuse the trigger; `never`: trigger without reading the DAG.
   */
  readonly unpause?: UnpausePolicy;
  /** Member of `conf` that identifies a run after a lost response. Default: `job_id`. */
  readonly jobKey?: string;
  readonly clock?: Clock;
  /** Random numbers of [0, 1) for pauses. */
  readonly random?: () => number;
  readonly fetch?: typeof globalThis.fetch;
  /** Called after every request attempt. */
  readonly onRequest?: (note: RequestNote) => void;
}

/** The options with their defaults. */
export type Settings = Readonly<Required<Omit<OrchestratorOptions, 'baseUrl' | 'onRequest'>>> & {
  readonly address: BaseAddress;
  readonly onRequest: ((note: RequestNote) => void) | undefined;
};

const MINUTE_MS = 60_000;

/** Fills in defaults; throws `invalid_request` with the name of the option. */
export function readSettings(options: OrchestratorOptions): Settings {
  const settings: Settings = {
    address: readAddress(options.baseUrl),
    credentials: options.credentials ?? {},
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    attempts: options.attempts ?? 4,
    poll: options.poll ?? { minMs: 3000, maxMs: 5000 },
    patienceMs: options.patienceMs ?? 10 * MINUTE_MS,
    stalledAfterMs: options.stalledAfterMs ?? 10 * MINUTE_MS,
    unpause: options.unpause ?? 'auto',
    jobKey: options.jobKey ?? 'job_id',
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    onRequest: options.onRequest,
  };
  check(settings);
  return settings;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const POLICIES: readonly UnpausePolicy[] = ['auto', 'error', 'never'];

function check({ attempts, requestTimeoutMs, poll, patienceMs, stalledAfterMs, unpause, jobKey }: Settings): void {
  if (!Number.isInteger(attempts) || attempts < 1)
    throw invalidRequest('attempts', `${attempts} is not a whole number from 1; give the maximum number of attempts`);
  if (!Number.isInteger(requestTimeoutMs) || requestTimeoutMs < 1 || requestTimeoutMs > LONGEST_TIMER_MS)
    throw invalidRequest(
      'requestTimeoutMs',
      `${requestTimeoutMs} is not a whole number from 1 to ${LONGEST_TIMER_MS}; give milliseconds, such as 30000`,
    );
  checkInterval('poll', poll);
  checkLeast('patienceMs', patienceMs, 0);
  checkLeast('stalledAfterMs', stalledAfterMs, 0);
  if (!POLICIES.includes(unpause))
    throw invalidRequest('unpause', `${JSON.stringify(unpause)} is not a policy; give one of ${POLICIES.join(', ')}`);
  if (typeof jobKey !== 'string' || jobKey === '')
    throw invalidRequest(
      'jobKey',
      'is empty; give the name of the member of conf that identifies a job, such as job_id',
    );
}

/** Throws `invalid_request` unless the value is a number of at least `least`. Infinity is allowed. */
export function checkLeast(field: string, value: number, least: number): void {
  if (typeof value !== 'number' || !(value >= least))
    throw invalidRequest(
      field,
      `${value} is not a number from ${least}; give such a number, or omit ${field} to use the default`,
    );
}

/** Throws `invalid_request` unless the bounds are finite, from 0, and in order. */
export function checkInterval(field: string, { minMs, maxMs }: Interval): void {
  if (!(minMs >= 0 && maxMs >= minMs && Number.isFinite(maxMs)))
    throw invalidRequest(
      field,
      `${minMs} to ${maxMs} ms is not an interval; give a minMs of 0 or more, and a maxMs that is not below minMs`,
    );
}

/** Random pause of the interval, ms. */
export const pauseOf = ({ minMs, maxMs }: Interval, random: () => number): number => minMs + random() * (maxMs - minMs);
