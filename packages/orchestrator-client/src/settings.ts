import { type Clock, systemClock } from './clock.ts';
import { invalidRequest } from './errors.ts';
import { type BaseAddress, readAddress } from './http/address.ts';
import type { Credentials } from './http/credentials.ts';
import type { RequestNote } from './http/transport.ts';

/** What is done about a paused DAG before a trigger; a run of a paused DAG is accepted and never starts. */
export type UnpausePolicy = 'auto' | 'error' | 'never';

/** A pause of random length, ms: many clients do not ask at the same moment. */
export interface Interval {
  readonly minMs: number;
  readonly maxMs: number;
}

/** What a client is made of; all but the address has a default. */
export interface OrchestratorOptions {
  /** Root of the orchestrator, with or without `/api/v1` or `/api/v2`. */
  readonly baseUrl: string;
  readonly credentials?: Credentials;
  /** Limit of one request, answer and body each; 30 s. */
  readonly requestTimeoutMs?: number;
  /** Attempts of a request that changes nothing, from 1; 4. */
  readonly attempts?: number;
  /** Pause between two looks at a run; 3 to 5 s. */
  readonly poll?: Interval;
  /** How long a wait bears an orchestrator that does not answer, ms; 10 minutes. */
  readonly patienceMs?: number;
  /** How long a run may stay `queued` before it counts as stalled, ms; 10 minutes. Infinity = for ever. */
  readonly stalledAfterMs?: number;
  /** `auto`: unpause before a trigger; `error`: refuse; `never`: trigger without a look at the DAG. */
  readonly unpause?: UnpausePolicy;
  /** Member of `conf` by which a run is found again whose trigger's answer was lost; `job_id`. */
  readonly jobKey?: string;
  readonly clock?: Clock;
  /** Numbers from 0 up to 1, for jitter. */
  readonly random?: () => number;
  readonly fetch?: typeof globalThis.fetch;
  /** Told of every attempt, for logs. */
  readonly onRequest?: (note: RequestNote) => void;
}

/** The options with their defaults. */
export type Settings = Readonly<Required<Omit<OrchestratorOptions, 'baseUrl' | 'onRequest'>>> & {
  readonly address: BaseAddress;
  readonly onRequest: ((note: RequestNote) => void) | undefined;
};

const MINUTE_MS = 60_000;

/** Fills in defaults; throws `invalid_request` that names the option that could not work. */
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

/** Longest time limit that a timer keeps, ms, about 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const POLICIES: readonly UnpausePolicy[] = ['auto', 'error', 'never'];

function check({ attempts, requestTimeoutMs, poll, patienceMs, stalledAfterMs, unpause, jobKey }: Settings): void {
  if (!Number.isInteger(attempts) || attempts < 1)
    throw invalidRequest('attempts', `${attempts} is no whole number from 1; give how often a request is sent at most`);
  if (!Number.isInteger(requestTimeoutMs) || requestTimeoutMs < 1 || requestTimeoutMs > LONGEST_TIMER_MS)
    throw invalidRequest(
      'requestTimeoutMs',
      `${requestTimeoutMs} is no whole number from 1 to ${LONGEST_TIMER_MS}; give milliseconds, such as 30000`,
    );
  checkInterval('poll', poll);
  checkLeast('patienceMs', patienceMs, 0);
  checkLeast('stalledAfterMs', stalledAfterMs, 0);
  if (!POLICIES.includes(unpause))
    throw invalidRequest('unpause', `${JSON.stringify(unpause)} is no policy; give one of ${POLICIES.join(', ')}`);
  if (typeof jobKey !== 'string' || jobKey === '')
    throw invalidRequest('jobKey', 'is empty; give the name of the member of conf that names a job, such as job_id');
}

/** Throws `invalid_request` for what is no number from `least`; Infinity is one. */
export function checkLeast(field: string, value: number, least: number): void {
  if (typeof value !== 'number' || !(value >= least))
    throw invalidRequest(field, `${value} is no number from ${least}; give one, or leave it out for the default`);
}

/** Throws `invalid_request` for an interval that ends before it begins. */
export function checkInterval(field: string, { minMs, maxMs }: Interval): void {
  if (!(minMs >= 0 && maxMs >= minMs && Number.isFinite(maxMs)))
    throw invalidRequest(field, `${minMs} to ${maxMs} ms is no interval; give minMs from 0 and maxMs from minMs`);
}

/** A pause of the interval. */
export const pauseOf = ({ minMs, maxMs }: Interval, random: () => number): number => minMs + random() * (maxMs - minMs);
