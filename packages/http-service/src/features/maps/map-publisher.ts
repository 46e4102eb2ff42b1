import { type Logger, messageOf, type Timers } from '@headwater/core';
import { isDomainError } from '@headwater/core/errors';
import type { MapServer, OperatorLists } from '@headwater/core/ports';
import type { RunSignals } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';

/** Publishes the layers of the stores at a map server. */
export interface MapPublisher {
  /**
   * Compares all layers with the map server now and every ten minutes. Also publishes each layer as soon as a run
   * publishes it.
   */
  start(): void;
  /** Publishes one layer (`workspace:name`) again at once, or removes it from the map server if it was unpublished. */
  touch(layer: string): void;
  pending(): number;
  close(): Promise<void>;
}

/** Dependencies of `createMapPublisher`. */
export interface MapPublisherParts {
  readonly server: Pick<MapServer, 'check' | 'publish' | 'repair'>;
  readonly lists: Pick<OperatorLists, 'layers'>;
  readonly installation: Pick<Stores['installation'], 'withLock'>;
  readonly signals: RunSignals;
  readonly logger: Logger;
  readonly timers: Timers;
}

/** Waiting time before layers are published, so that the layers of one run are published together. */
const PAUSE_MS = 200;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
/** Time between comparisons, which also find changes without a signal. */
const COMPARE_MS = 600_000;
const PAGE_SIZE = 100;
/** Number of failures in a row after which the map server counts as unavailable. */
const MOST_FAILURES = 3;

type Pending = Map<string, { readonly workspace: string; readonly name: string }>;

/** Creates the publisher. The first comparison also publishes layers from the time before a restart. */
export function createMapPublisher(parts: MapPublisherParts): MapPublisher {
  const { signals, timers, server, lists } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pending: Pending = new Map();
  /** Layers that failed before. They are tried last. */
  const failed = new Set<string>();
  const seen = new Map<string, number>();
  let isListDue = false;
  let waking = new AbortController();
  let publishing: Promise<void> | undefined;
  let comparing: Promise<void> | undefined;

  const readList = async (): Promise<void> => {
    if (!isListDue) return;
    isListDue = false;
    try {
      // Layers count as seen only after the whole list was read: otherwise a retry would stop at the first page of
      // known layers.
      for (const { key, version, ...layer } of await listOf(newLayers(lists, seen))) {
        seen.set(key, version);
        failed.delete(key);
        pending.set(key, layer);
      }
    } catch (error) {
      isListDue = true;
      throw error;
    }
  };
  const publishDue = async (): Promise<void> => {
    await readList();
    await publishEach({ pending, failed }, server, signal);
  };
  const isDue = (): boolean => isListDue || pending.size > 0;
  const publishAll = async (): Promise<void> => {
    while (isDue() && !signal.aborted) {
      await timers.sleep(PAUSE_MS, signal);
      const untilChange = (): AbortSignal => (waking = new AbortController()).signal;
      await untilDone(publishDue, { ...parts, signal, untilChange, name: 'map server' });
    }
    publishing = undefined;
  };
  const schedule = (): void => {
    // Ends the pause after a failure, so that a failing layer does not delay all others.
    waking.abort();
    if (!signal.aborted) publishing ??= publishAll();
  };
  const onChange = (): void => {
    isListDue = true;
    schedule();
  };
  const compare = async (): Promise<void> => {
    // The current layers count as seen. The comparison below publishes missing layers.
    for await (const { key, version } of newLayers(lists, new Map())) if (!pending.has(key)) seen.set(key, version);
    await repairEach(server, signal, (key, layer) => {
      pending.set(key, layer);
      schedule();
    });
  };
  const compareRegularly = async (): Promise<void> => {
    while (!signal.aborted) {
      await untilDone(compare, { ...parts, signal, name: 'comparison with the map server' });
      await timers.sleep(COMPARE_MS, signal);
    }
  };
  return {
    start: () => {
      if (comparing !== undefined) return;
      signals.on('changed', onChange);
      comparing = compareRegularly();
    },
    pending: () => pending.size,
    touch: (layer) => {
      const [workspace = '', name = ''] = layer.split(':');
      seen.delete(layer);
      failed.delete(layer);
      pending.set(layer, { workspace, name });
      schedule();
    },
    close: async () => {
      signals.off('changed', onChange);
      stopping.abort();
      await Promise.all([publishing, comparing]);
    },
  };
}

async function listOf<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

interface Queue {
  readonly pending: Pending;
  readonly failed: Set<string>;
}

async function publishEach(
  { pending, failed }: Queue,
  server: MapPublisherParts['server'],
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  let inARow = 0;
  const order = [...pending].toSorted(([a], [b]) => Number(failed.has(a)) - Number(failed.has(b)));
  for (const [key, layer] of order) {
    if (signal.aborted) return;
    if (inARow === MOST_FAILURES) break;
    // The layer is removed from `pending` before it is published, so that a change during its publication adds it
    // again.
    pending.delete(key);
    try {
      await server.publish(layer.workspace, layer.name);
      failed.delete(key);
      inARow = 0;
    } catch (error) {
      pending.set(key, layer);
      failed.add(key);
      failures.push(error);
      inARow += 1;
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Repairs all differences; a failed layer is passed to `later`. Skips styles of other programs (`conflict`). Throws if
 * a workspace, or a style for any other reason, cannot be repaired, and after three failures in a row.
 */
async function repairEach(
  server: MapPublisherParts['server'],
  signal: AbortSignal,
  later: (key: string, layer: { readonly workspace: string; readonly name: string }) => void,
): Promise<void> {
  let inARow = 0;
  for await (const drift of server.check(undefined, signal)) {
    if (signal.aborted) return;
    try {
      await server.repair(drift);
      inARow = 0;
    } catch (error) {
      const { workspace, layer: name, style } = drift;
      // The style is skipped, because a style of another program must not delay the layers.
      if (style !== undefined && isDomainError(error) && error.code === 'conflict') continue;
      inARow += 1;
      if (name === null || inARow === MOST_FAILURES) throw error;
      later(`${workspace}:${name}`, { workspace, name });
    }
  }
}

type RetryParts = Pick<MapPublisherParts, 'installation' | 'logger' | 'timers'> & {
  readonly signal: AbortSignal;
  readonly name: string;
  /** Called before each attempt. Returns a signal that ends the pause after a failed attempt early. */
  readonly untilChange?: () => AbortSignal;
};

async function untilDone(work: () => Promise<void>, parts: RetryParts): Promise<void> {
  const { installation, logger, timers, signal, name, untilChange } = parts;
  for (let failures = 0; !signal.aborted;) {
    const change = untilChange?.();
    try {
      return await installation.withLock(name, work, signal);
    } catch (error) {
      if (signal.aborted) return;
      const pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
      failures += 1;
      const reason = messageOf(error);
      const next = `The next attempt is in ${pauseMs / 1000} s.`;
      logger.error({ error: reason }, `warning: the map server may lack published layers. ${next} Reason: ${reason}`);
      await timers.sleep(pauseMs, change === undefined ? signal : AbortSignal.any([signal, change]));
    }
  }
}

interface NewLayer {
  readonly key: string;
  readonly version: number;
  readonly workspace: string;
  readonly name: string;
}

/** Yields unseen layers, newest first. Stops after the first page on which all layers are seen. */
async function* newLayers(
  lists: MapPublisherParts['lists'],
  seen: ReadonlyMap<string, number>,
): AsyncGenerator<NewLayer> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { rows } = await lists.layers({ order: 'published', isDescending: true, limit: PAGE_SIZE, offset });
    const layers = rows.map(({ workspace, layerName: name, version }) => ({
      key: `${workspace}:${name}`,
      version,
      workspace,
      name,
    }));
    const unknown = layers.filter(({ key, version }) => seen.get(key) !== version);
    yield* unknown;
    if (unknown.length === 0 || rows.length < PAGE_SIZE) return;
  }
}
