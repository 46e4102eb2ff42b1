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
/** Turns without an open call after which nothing follows from a request any more. */
const QUIET_TURNS = 4;

/** Result of a request. */
export interface Outcome {
  /** Undefined: the answer broke off after its status had been sent. */
  readonly answer: Answer | undefined;
  readonly watch: Watch;
}

/** A world over memory stores that can be put back to its beginning. */
export interface MemoryWorld extends Pick<
  World,
  'service' | 'requests' | 'waiting' | 'lines' | 'closing' | 'signals' | 'close'
> {
  readonly faulty: FaultyStores;
  /** Sends a request, with a fault if one is given, and waits until its calls have ended. */
  readonly send: (request: RowRequest, fault?: Fault) => Promise<Outcome>;
  /** Makes the stores again as they were at the beginning. */
  readonly reset: () => Promise<void>;
  /** Moves the clock of the service past the time for which it caches names of itself. */
  readonly later: () => void;
}

/** A call of the beginning, and the identity that its result had. */
interface Written extends Calling {
  readonly id: string | undefined;
}

/** Builds the world. Its stores are made again by the same writes with the same values, so tokens and ids stay good. */
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
  let renamed: readonly (readonly [string, string])[] = [];
  return {
    ...world,
    faulty,
    later: () => void (laterMs += LATER_MS),
    reset: async () => {
      const fresh = createMemoryStores({ clock: STILL });
      renamed = await writeAgain(fresh, journal);
      faulty.use(fresh);
    },
    send: async (request, fault) => {
      const last = request.lastLine === undefined ? undefined : world.lineLike(request.lastLine);
      const watch = faulty.watch(fault);
      const answer = await world.ask(withNames(request, renamed)).catch(() => undefined);
      if (answer?.status === request.status) await last;
      await settled(faulty);
      watch.end();
      return { answer, watch };
    },
  };
}

/** Ids that stores make at random: those of the beginning, and those of today. */
async function writeAgain(
  stores: Stores,
  journal: readonly Written[],
): Promise<readonly (readonly [string, string])[]> {
  const renamed: (readonly [string, string])[] = [];
  for (const { id, ...calling } of journal) {
    const today = idOf(await callMethod(stores, calling));
    if (id !== undefined && today !== undefined && today !== id) renamed.push([id, today]);
  }
  return renamed;
}

function idOf(result: unknown): string | undefined {
  const id: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'id') : undefined;
  return typeof id === 'string' ? id : undefined;
}

function withNames(request: RowRequest, renamed: readonly (readonly [string, string])[]): RowRequest {
  const name = (text: string): string => renamed.reduce((made, [from, to]) => made.replaceAll(from, to), text);
  const { body } = request.init;
  const init = typeof body === 'string' ? { ...request.init, body: name(body) } : request.init;
  return { ...request, path: name(request.path), init };
}

/** Resolves when no call of a store is open, and what follows from the last one has happened. */
async function settled(faulty: FaultyStores): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await nextTurn();
    if (faulty.open > 0) quiet = 0;
  }
}

/** Resolves with the next turn of the event loop. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
