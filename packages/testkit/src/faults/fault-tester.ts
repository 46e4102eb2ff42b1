import { DomainError } from '@headwater/core';
import type { Fault, StoreCall, Watch } from './faulty-stores.ts';
import { type MemoryWorld, nextTurn, type Outcome } from './memory-world.fixture.ts';
import type { RowRequest } from './requests.fixture.ts';

/**
 * Errors with which the PostgreSQL stores reject if the database fails: a lost connection, a statement that was cancelled, and a
 * transaction that failed too often. `packages/postgres/src/errors.test.ts` shows which errors of the driver become these.
 */
export const STORE_FAULTS: readonly (() => DomainError)[] = [
  () =>
    new DomainError('unavailable', 'PostgreSQL does not respond (57P01): it is starting, stopping or was restarted'),
  () => new DomainError('took_too_long', 'PostgreSQL ended a statement that exceeded its time limit'),
  () =>
    new DomainError('unavailable', 'PostgreSQL ended a transaction after too many conflicts with others (40001)', {
      details: { retryAfterSeconds: 1 },
    }),
];

/** Counts leaked resources by name. */
export type Count = (world: MemoryWorld) => Readonly<Record<string, number>>;

/** Parts that a fault run uses. */
export interface FaultTesterParts {
  readonly world: MemoryWorld;
  /** Builds a world whose service has an empty cache. */
  readonly coldWorld: () => Promise<MemoryWorld>;
  readonly count: Count;
  /** `row: call: symptom`, or `row: symptom` for all its calls -> the reason why it is correct. */
  readonly allowed: Readonly<Record<string, string>>;
}

/** A request and its responses without a fault. */
interface CleanResponses {
  readonly request: RowRequest;
  readonly clean: Outcome;
  /** Status of the same request when repeated. */
  readonly again: number | undefined;
  /** True if the response body is the same each time. */
  readonly isStable: boolean;
}

/** Maximum number of calls of one store method that fail, one at a time. If a request makes more, the first ones and the last one fail. */
const MAX_CALLS_OF_NAME = 4;
/** The same limit if each try needs its own service. */
const MAX_COLD_CALLS_OF_NAME = 2;
const NOT_CALLED = 'was not called';
/** Limit of event-loop turns until a request must have released its resources. */
const MOST_TURNS = 500;

/** Sends requests with each fault and collects the problems. */
export class FaultTester {
  readonly #parts: FaultTesterParts;
  /** Keys of the allowed symptoms that occurred. */
  readonly used = new Set<string>();

  constructor(parts: FaultTesterParts) {
    this.#parts = parts;
  }

  /** Rejects every store call of the request once; returns the problems, one a line. */
  async test(request: RowRequest): Promise<readonly string[]> {
    const { world, coldWorld } = this.#parts;
    const cold = await world.send(request);
    if (cold.answer?.status !== request.status) return [`${request.name}: returns ${textOf(cold)}`];
    const again = (await world.send(request)).answer?.status;
    await world.reset();
    const clean = await this.#restored(world, await world.send(request));
    const isStable = clean.answer?.body === cold.answer.body;
    const problems: string[] = [];
    for (const fault of faultsOf(clean.watch))
      problems.push(...(await this.#tryFault(world, { request, clean, again, isStable }, fault)));
    // A filled cache saves some calls. They fail after the cached response expired, or on a service with an empty cache.
    for (const fault of coldFaultsOf(cold.watch, clean.watch)) {
      world.later();
      const responses = { request, clean: cold, again, isStable: false };
      const found = await this.#tryFault(world, responses, fault);
      const isCached = found.some((line) => line.includes(NOT_CALLED));
      problems.push(...(isCached ? await this.#tryOnColdWorld(await coldWorld(), responses, fault) : found));
    }
    return problems;
  }

  /** Resets the stores if a request changed them. */
  async #restored(world: MemoryWorld, ...outcomes: readonly Outcome[]): Promise<Outcome> {
    const isChanged = outcomes.some(({ watch }) => watch.done.some(({ kind }) => kind !== 'read'));
    if (isChanged) await world.reset();
    const [first] = outcomes;
    if (first === undefined) throw new Error('fixture: no outcome');
    return first;
  }

  async #tryOnColdWorld(
    world: MemoryWorld,
    { request, ...responses }: CleanResponses,
    fault: Fault,
  ): Promise<readonly string[]> {
    const same = world.requests.find(({ row, name }) => row.id === request.row.id && name === request.name);
    const problems = await this.#tryFault(world, { ...responses, request: same ?? request }, fault);
    await world.close();
    return problems;
  }

  async #tryFault(world: MemoryWorld, responses: CleanResponses, fault: Fault): Promise<readonly string[]> {
    const { count, allowed } = this.#parts;
    const { request } = responses;
    const before = count(world);
    const outcome = await world.send(request, fault);
    const symptoms = [...symptomsOf(outcome, responses), ...(await this.#leaks(world, before))];
    // The fault must not block the same request when it is repeated, nor leave a wrong response in the cache.
    const next = fault.isFollowed === true ? await world.send(request) : undefined;
    if (next !== undefined && !isRightAfter(next, outcome, responses)) symptoms.push(`then returns ${textOf(next)}`);
    await this.#restored(world, outcome, ...(next === undefined ? [] : [next]));
    return symptoms.flatMap((symptom) => {
      const keys = [`${request.row.id}: ${fault.name}: ${symptom}`, `${request.row.id}: ${symptom}`];
      const reason = keys.find((key) => allowed[key] !== undefined);
      if (reason !== undefined) this.used.add(reason);
      const details = `${request.name}, ${fault.nth} ${fault.when}, ${fault.error.message}`;
      return reason === undefined ? [`${keys[0]} (${details})`] : [];
    });
  }

  /** Names of the resources that a request leaked after its background work. */
  async #leaks(world: MemoryWorld, before: ReturnType<Count>): Promise<readonly string[]> {
    const { count } = this.#parts;
    const more = (): readonly string[] => {
      const now = count(world);
      return Object.keys(now).filter((name) => (now[name] ?? 0) > (before[name] ?? 0));
    };
    for (let turns = 0; turns < MOST_TURNS && more().length > 0; turns += 1) await nextTurn();
    return more().map((name) => `leaves ${name}`);
  }
}

/** Every fault of a request's calls. */
function faultsOf({ calls }: Pick<Watch, 'calls'>): readonly Fault[] {
  return limitPerName(calls, MAX_CALLS_OF_NAME).flatMap(({ name, kind, nth }) => {
    const [lost, ...others] = STORE_FAULTS.map((make): Fault => ({ name, nth, when: 'before', error: make() }));
    if (lost === undefined) return [];
    const after: Fault = { ...lost, when: 'after', isFollowed: true };
    return [{ ...lost, isFollowed: true }, ...others, ...(kind === 'write' ? [after] : [])];
  });
}

/** Lost connections of the calls that a service makes only for its first response. */
function coldFaultsOf(cold: Watch, warm: Watch): readonly Fault[] {
  const known = new Set(warm.calls.map(({ name }) => name));
  const [make] = STORE_FAULTS;
  if (make === undefined) return [];
  const unknown = cold.calls.filter(({ name }) => !known.has(name));
  return limitPerName(unknown, MAX_COLD_CALLS_OF_NAME).map(({ name, nth }) => {
    return { name, nth, when: 'before', error: make(), isFollowed: true };
  });
}

function limitPerName(calls: readonly StoreCall[], most: number): readonly (StoreCall & Pick<Fault, 'nth'>)[] {
  const groups = Map.groupBy(calls, ({ name }) => name).values();
  return [...groups].flatMap((group) => {
    return group.map((call, nth) => ({ ...call, nth })).filter(({ nth }) => nth < most - 1 || nth === group.length - 1);
  });
}

/** Problems of a response during a fault, and of the stores after it. */
function symptomsOf(outcome: Outcome, responses: CleanResponses): readonly string[] {
  const { watch, answer } = outcome;
  const { request, clean } = responses;
  const written = writesOf(outcome);
  return [
    ...(watch.isReached ? [] : [NOT_CALLED]),
    ...(written === '' || written === writesOf(clean) ? [] : [`wrote only ${written}`]),
    ...(answer?.status === 503
      ? missingRetryAfter(outcome)
      : isClean(outcome, responses)
        ? []
        : [`returns ${textOf(outcome)}`]),
    ...(answer?.status === request.status ? lost(outcome, clean) : []),
  ];
}

function missingRetryAfter({ answer, watch }: Outcome): readonly string[] {
  const wanted = watch.retryAfter;
  const isPresent = wanted === undefined || answer?.headers.get('retry-after') === `${wanted}`;
  return isPresent ? [] : ['returns 503 without Retry-After'];
}

/** Symptom of a request that responds although a call that it needs failed. */
function lost({ watch }: Outcome, clean: Outcome): readonly string[] {
  const done = new Set(watch.done.map(({ name }) => name));
  return clean.watch.done.some(({ name }) => !done.has(name)) ? ['responds although the call failed'] : [];
}

/** True if the response is the same as without a fault. */
function isClean({ answer }: Outcome, { clean, isStable }: CleanResponses): boolean {
  return answer?.status === clean.answer?.status && (!isStable || answer?.body === clean.answer?.body);
}

/** True if `next` has the right response: that of a repeated request if the failed one did its writes, otherwise that of a first request. */
function isRightAfter(next: Outcome, failed: Outcome, responses: CleanResponses): boolean {
  const isDone = writesOf(failed) !== '' && writesOf(failed) === writesOf(responses.clean);
  return isDone ? next.answer?.status === responses.again : isClean(next, responses);
}

/** Names of the writes that took effect, in order. */
function writesOf({ watch }: Outcome): string {
  const writes = watch.done.filter(({ kind }) => kind === 'write');
  return writes.map(({ name }) => name).join(', ');
}

function textOf({ answer }: Outcome): string {
  return answer === undefined ? 'an aborted response' : String(answer.status);
}
