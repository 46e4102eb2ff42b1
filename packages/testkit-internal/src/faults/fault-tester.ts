import { DomainError } from '@headwater/core';
import type { Fault, StoreCall, Watch } from './faulty-stores.ts';
import { type MemoryWorld, nextTurn, type Outcome } from './memory-world.fixture.ts';
import type { RowRequest } from './requests.fixture.ts';

/** Errors of the PostgreSQL stores after a failure of the database. */
export const STORE_FAULTS: readonly (() => DomainError)[] = [
  () => new DomainError('unavailable', 'PostgreSQL cannot be used (57P01): it is starting, stopping or was restarted'),
  () => new DomainError('took_too_long', 'PostgreSQL ended a statement that exceeded its time limit'),
  () =>
    new DomainError('unavailable', 'PostgreSQL ended a transaction after too many conflicts with others (40001)', {
      details: { retryAfterSeconds: 1 },
    }),
];

/** Counts unreleased resources by name. */
export type Count = (world: MemoryWorld) => Readonly<Record<string, number>>;

/** Parts of a `FaultTester`. */
export interface FaultTesterParts {
  readonly world: MemoryWorld;
  /** Builds a service with data and empty caches. */
  readonly coldWorld: () => Promise<MemoryWorld>;
  readonly count: Count;
  /**
   * True: each call of a slow request is rejected several times, once with each error. Default: once, with one error.
   */
  readonly isThorough?: boolean;
  /** Reasons why symptoms are correct. Key: `operation: call: symptom` or `operation: symptom`. */
  readonly allowed: Readonly<Record<string, string>>;
}

interface CleanResponses {
  readonly request: RowRequest;
  readonly clean: Outcome;
  readonly again: number | undefined;
  /** True if repeated responses have the same body. */
  readonly isStable: boolean;
}

/** Maximum number of calls of a store method that are rejected: the first three and the last. */
const MAX_CALLS_OF_NAME = 4;
/** Maximum number of rejected calls of a store method that a service calls only with empty caches. */
const MAX_COLD_CALLS_OF_NAME = 2;
const NOT_CALLED = 'was not called';
/** Number of event-loop iterations after which all resources must be released. */
const MOST_TURNS = 500;

/** Sends requests with each fault and collects the problems. */
export class FaultTester {
  readonly #parts: FaultTesterParts;
  /** Allowed symptoms that occurred. */
  readonly used = new Set<string>();

  constructor(parts: FaultTesterParts) {
    this.#parts = parts;
  }

  /** Repeats a request, each time with one store call that fails. Returns one line per problem. */
  async test(request: RowRequest): Promise<readonly string[]> {
    const { world, coldWorld } = this.#parts;
    const cold = await world.send(request);
    if (cold.answer?.status !== request.status) return [`${request.name}: returns ${textOf(cold)}`];
    const again = (await world.send(request)).answer?.status;
    await world.reset();
    const clean = await this.#restored(world, await world.send(request));
    const isStable = clean.answer?.body === cold.answer.body;
    const problems: string[] = [];
    const isShort = request.isSlow === true && this.#parts.isThorough !== true;
    const unstable = { request, clean: cold, again, isStable: false };
    // A call may be missing because an earlier request has filled a cache of the service. Then the fault is tried in a
    // new world with empty caches.
    const tryFault = async (responses: CleanResponses, fault: Fault): Promise<void> => {
      const found = await this.#tryFault(world, responses, fault);
      const isCached = found.some((line) => line.includes(NOT_CALLED));
      problems.push(...(isCached ? await this.#tryOnColdWorld(await coldWorld(), unstable, fault) : found));
    };
    for (const fault of faultsOf(clean.watch, isShort)) await tryFault({ request, clean, again, isStable }, fault);
    // The service makes these calls only if its caches are empty or expired.
    for (const fault of coldFaultsOf(cold.watch, clean.watch)) {
      world.later();
      await tryFault(unstable, fault);
    }
    return problems;
  }

  /** Returns the first outcome. Resets the stores if a call may have changed them. */
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
    // The next request must get the clean response, not a wrong one from a cache. If the failed request did all its
    // writes, the next request must get the status of a repeated request.
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

/**
 * Faults of at most `MAX_CALLS_OF_NAME` calls of each method: before the call with every error (if `isShort` is true,
 * with one error), and after a write.
 */
function faultsOf({ calls }: Pick<Watch, 'calls'>, isShort: boolean): readonly Fault[] {
  return limitPerName(calls, MAX_CALLS_OF_NAME).flatMap(({ name, kind, nth }, index) => {
    const faults = STORE_FAULTS.map((make): Fault => ({ name, nth, when: 'before', error: make() }));
    const [lost] = faults;
    const [first, ...others] = faults.filter((_, at) => !isShort || at === index % faults.length);
    if (lost === undefined || first === undefined) return [];
    const after: Fault = { ...lost, when: 'after', isFollowed: true };
    return [{ ...first, isFollowed: true }, ...others, ...(kind === 'write' ? [after] : [])];
  });
}

/** Faults of calls that a service makes only for its first response. */
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

function lost({ watch }: Outcome, clean: Outcome): readonly string[] {
  const done = new Set(watch.done.map(({ name }) => name));
  return clean.watch.done.some(({ name }) => !done.has(name)) ? ['responds although the call failed'] : [];
}

function isClean({ answer }: Outcome, { clean, isStable }: CleanResponses): boolean {
  return answer?.status === clean.answer?.status && (!isStable || answer?.body === clean.answer?.body);
}

function isRightAfter(next: Outcome, failed: Outcome, responses: CleanResponses): boolean {
  const isDone = writesOf(failed) !== '' && writesOf(failed) === writesOf(responses.clean);
  return isDone ? next.answer?.status === responses.again : isClean(next, responses);
}

function writesOf({ watch }: Outcome): string {
  const writes = watch.done.filter(({ kind }) => kind === 'write');
  return writes.map(({ name }) => name).join(', ');
}

function textOf({ answer }: Outcome): string {
  return answer === undefined ? 'an aborted response' : String(answer.status);
}
