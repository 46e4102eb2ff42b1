import { DomainError } from '@headwater/core';
import type { Fault, StoreCall, Watch } from './faulty-stores.ts';
import { type MemoryWorld, nextTurn, type Outcome } from './memory-world.fixture.ts';
import type { RowRequest } from './requests.fixture.ts';

/**
 * The failures of a database as the stores over PostgreSQL reject with them: a lost connection, an ended statement, and a transaction that
 * failed too often. `packages/postgres/src/errors.test.ts` has the driver's errors that become these.
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

/** Counts before and after each request, by name. */
export type Count = (world: MemoryWorld) => Readonly<Record<string, number>>;

/** Parts that a play of faults uses. */
export interface PlayParts {
  readonly world: MemoryWorld;
  /** Builds a world whose service has cached nothing. */
  readonly coldWorld: () => Promise<MemoryWorld>;
  readonly count: Count;
  /** `row: call: symptom`, or `row: symptom` for all of its calls -> the reason why it is right. */
  readonly allowed: Readonly<Record<string, string>>;
}

/** A request, and its answers without a fault. */
interface Played {
  readonly request: RowRequest;
  readonly clean: Outcome;
  /** Status of the same request after it. */
  readonly again: number | undefined;
  /** True: the answer is the same text each time. */
  readonly isStable: boolean;
}

/** Most calls of one name that are tried: of more, as a page makes for its many tables, the first ones and the last. */
const TRIED_OF_NAME = 4;
/** The same if each try needs a service of its own. */
const TRIED_COLD = 2;
const NOT_CALLED = 'was not called';
/** Turns of the event loop after which a request must have left nothing behind. */
const MOST_TURNS = 500;

/** Plays requests with each fault and looks for what is wrong. */
export class FaultPlay {
  readonly #parts: PlayParts;
  /** Reasons that were needed. */
  readonly used = new Set<string>();

  constructor(parts: PlayParts) {
    this.#parts = parts;
  }

  /** Every call of the request rejects once; returns what was wrong, a line each. */
  async play(request: RowRequest): Promise<readonly string[]> {
    const { world, coldWorld } = this.#parts;
    const cold = await world.send(request);
    if (cold.answer?.status !== request.status) return [`${request.name}: answers ${textOf(cold)}`];
    const again = (await world.send(request)).answer?.status;
    await world.reset();
    const clean = await this.#restored(world, await world.send(request));
    const isStable = clean.answer?.body === cold.answer.body;
    const problems: string[] = [];
    for (const fault of faultsOf(clean.watch))
      problems.push(...(await this.#playOne(world, { request, clean, again, isStable }, fault)));
    // Where answers are cached, a later service or a fresh one makes further calls.
    for (const fault of coldFaultsOf(cold.watch, clean.watch)) {
      world.later();
      const played = { request, clean: cold, again, isStable: false };
      const found = await this.#playOne(world, played, fault);
      const isCached = found.some((line) => line.includes(NOT_CALLED));
      problems.push(...(isCached ? await this.#playCold(await coldWorld(), played, fault) : found));
    }
    return problems;
  }

  /** Resets the stores if a request changed anything. */
  async #restored(world: MemoryWorld, ...outcomes: readonly Outcome[]): Promise<Outcome> {
    const isChanged = outcomes.some(({ watch }) => watch.done.some(({ kind }) => kind !== 'read'));
    if (isChanged) await world.reset();
    const [first] = outcomes;
    if (first === undefined) throw new Error('fixture: no outcome');
    return first;
  }

  async #playCold(world: MemoryWorld, { request, ...played }: Played, fault: Fault): Promise<readonly string[]> {
    const same = world.requests.find(({ row, name }) => row.id === request.row.id && name === request.name);
    const problems = await this.#playOne(world, { ...played, request: same ?? request }, fault);
    await world.close();
    return problems;
  }

  async #playOne(world: MemoryWorld, played: Played, fault: Fault): Promise<readonly string[]> {
    const { count, allowed } = this.#parts;
    const { request } = played;
    const before = count(world);
    const outcome = await world.send(request, fault);
    const symptoms = [...symptomsOf(outcome, played), ...(await this.#left(world, before))];
    // The same request again: nothing that the fault left may block it, and nothing wrong may be cached.
    const next = fault.isFollowed === true ? await world.send(request) : undefined;
    if (next !== undefined && !isRightAfter(next, outcome, played)) symptoms.push(`then is ${textOf(next)}`);
    await this.#restored(world, outcome, ...(next === undefined ? [] : [next]));
    return symptoms.flatMap((symptom) => {
      const keys = [`${request.row.id}: ${fault.name}: ${symptom}`, `${request.row.id}: ${symptom}`];
      const reason = keys.find((key) => allowed[key] !== undefined);
      if (reason !== undefined) this.used.add(reason);
      const details = `${request.name}, ${fault.nth} ${fault.when}, ${fault.error.message}`;
      return reason === undefined ? [`${keys[0]} (${details})`] : [];
    });
  }

  /** Names of what a request left behind, after its work in the background. */
  async #left(world: MemoryWorld, before: ReturnType<Count>): Promise<readonly string[]> {
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
  return tried(calls, TRIED_OF_NAME).flatMap(({ name, kind, nth }) => {
    const [lost, ...others] = STORE_FAULTS.map((make): Fault => ({ name, nth, when: 'before', error: make() }));
    if (lost === undefined) return [];
    const after: Fault = { ...lost, when: 'after', isFollowed: true };
    return [{ ...lost, isFollowed: true }, ...others, ...(kind === 'write' ? [after] : [])];
  });
}

/** Lost connections of the calls that a service makes only for its first answer. */
function coldFaultsOf(cold: Watch, warm: Watch): readonly Fault[] {
  const known = new Set(warm.calls.map(({ name }) => name));
  const [make] = STORE_FAULTS;
  if (make === undefined) return [];
  const unknown = cold.calls.filter(({ name }) => !known.has(name));
  return tried(unknown, TRIED_COLD).map(({ name, nth }) => {
    return { name, nth, when: 'before', error: make(), isFollowed: true };
  });
}

function tried(calls: readonly StoreCall[], most: number): readonly (StoreCall & Pick<Fault, 'nth'>)[] {
  const groups = Map.groupBy(calls, ({ name }) => name).values();
  return [...groups].flatMap((group) => {
    return group.map((call, nth) => ({ ...call, nth })).filter(({ nth }) => nth < most - 1 || nth === group.length - 1);
  });
}

/** Problems of an answer during a fault, and of the state after it. */
function symptomsOf(outcome: Outcome, played: Played): readonly string[] {
  const { watch, answer } = outcome;
  const { request, clean } = played;
  const written = writesOf(outcome);
  return [
    ...(watch.isReached ? [] : [NOT_CALLED]),
    ...(written === '' || written === writesOf(clean) ? [] : [`wrote ${written} alone`]),
    ...(answer?.status === 503 ? badRefusal(outcome) : isClean(outcome, played) ? [] : [`is ${textOf(outcome)}`]),
    ...(answer?.status === request.status ? lost(outcome, clean) : []),
  ];
}

function badRefusal({ answer, watch }: Outcome): readonly string[] {
  const wanted = watch.retryAfter;
  const isSaid = wanted === undefined || answer?.headers.get('retry-after') === `${wanted}`;
  return isSaid ? [] : ['is 503 without Retry-After'];
}

/** Calls that the answer without a fault needs, and that never succeeded in this one. */
function lost({ watch }: Outcome, clean: Outcome): readonly string[] {
  const done = new Set(watch.done.map(({ name }) => name));
  return clean.watch.done.some(({ name }) => !done.has(name)) ? ['is answered without it'] : [];
}

/** True for an answer that is the same as without a fault. */
function isClean({ answer }: Outcome, { clean, isStable }: Played): boolean {
  return answer?.status === clean.answer?.status && (!isStable || answer?.body === clean.answer?.body);
}

/** True for a right answer after a fault: that of the first request, or that of the second one if the first took effect. */
function isRightAfter(next: Outcome, left: Outcome, played: Played): boolean {
  const isDone = writesOf(left) !== '' && writesOf(left) === writesOf(played.clean);
  return isDone ? next.answer?.status === played.again : isClean(next, played);
}

/** Names of the writes that took effect, in their order. */
function writesOf({ watch }: Outcome): string {
  const writes = watch.done.filter(({ kind }) => kind === 'write');
  return writes.map(({ name }) => name).join(', ');
}

function textOf({ answer }: Outcome): string {
  return answer === undefined ? 'broken off' : String(answer.status);
}
