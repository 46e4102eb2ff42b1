import type { Clock } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import type { HeadwaterOptions } from '@headwater/http-service';
import {
  type Calling,
  callMethod,
  createFaultyStores,
  type Fault,
  type FaultyStores,
  type Watch,
} from './faulty-stores.ts';
import type { RowRequest } from './requests.fixture.ts';
import { type Answer, createWorld, STILL, type World } from './world.fixture.ts';

const LATER_MS = 11_000;
/** A request counts as complete after this number of event-loop iterations without a store call. */
const QUIET_TURNS = 4;

/** Outcome of a request. */
export interface Outcome {
  /** Undefined if the response was aborted after the status was sent. */
  readonly answer: Answer | undefined;
  readonly watch: Watch;
}

/** A sample service over memory stores that can be reset. */
export interface MemoryWorld extends Pick<
  World,
  'service' | 'requests' | 'waiting' | 'lines' | 'closing' | 'signals' | 'close'
> {
  readonly faulty: FaultyStores;
  /** Sends a request (with `fault`) and waits until all store calls have settled. */
  readonly send: (request: RowRequest, fault?: Fault) => Promise<Outcome>;
  /** Restores the initial data in new stores. */
  readonly reset: () => Promise<void>;
  /** Advances the clock until cached names expire. */
  readonly later: () => void;
}

interface Written extends Calling {
  readonly id: string | undefined;
}

/**
 * Builds the service. A reset repeats the writes of the initial data, so that tokens stay valid. Random ids change,
 * so ids in later requests are replaced.
 */
export async function createMemoryWorld(options: Partial<HeadwaterOptions> = {}): Promise<MemoryWorld> {
  const journal: Written[] = [];
  let isSeeding = true;
  const faulty = createFaultyStores(createMemoryStores({ clock: STILL }), ({ kind, ...calling }, result) => {
    if (isSeeding && kind !== 'read' && calling.store !== 'installation')
      journal.push({ ...calling, id: idOf(result) });
  });
  let laterMs = 0;
  const clock: Clock = { now: () => new Date(STILL.now().getTime() + laterMs) };
  const world = await createWorld(faulty.stores, { clock, ...options });
  isSeeding = false;
  let newIds: readonly (readonly [string, string])[] = [];
  return {
    ...world,
    faulty,
    later: () => void (laterMs += LATER_MS),
    reset: async () => {
      const fresh = createMemoryStores({ clock: STILL });
      newIds = await repeatWrites(fresh, journal);
      faulty.use(fresh);
    },
    send: async (request, fault) => {
      const last = request.lastLine === undefined ? undefined : world.lineLike(request.lastLine);
      const watch = faulty.watch(fault);
      const answer = await world.ask(withNames(request, newIds)).catch(() => undefined);
      if (answer?.status === request.status) await last;
      await settled(faulty);
      watch.end();
      return { answer, watch };
    },
  };
}

/** Repeats writes in new stores. Returns a pair [first id, new id] for each random id. */
async function repeatWrites(
  stores: Stores,
  journal: readonly Written[],
): Promise<readonly (readonly [string, string])[]> {
  const newIds: (readonly [string, string])[] = [];
  for (const { id, ...calling } of journal) {
    const newId = idOf(await callMethod(stores, calling));
    if (id !== undefined && newId !== undefined && newId !== id) newIds.push([id, newId]);
  }
  return newIds;
}

function idOf(result: unknown): string | undefined {
  const id: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'id') : undefined;
  return typeof id === 'string' ? id : undefined;
}

function withNames(request: RowRequest, newIds: readonly (readonly [string, string])[]): RowRequest {
  const name = (text: string): string => newIds.reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text);
  const { body } = request.init;
  const init = typeof body === 'string' ? { ...request.init, body: name(body) } : request.init;
  return { ...request, path: name(request.path), init };
}

async function settled(faulty: FaultyStores): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await nextTurn();
    if (faulty.open > 0) quiet = 0;
  }
}

/** Resolves in the next iteration of the event loop. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
