import { type Logger, messageOf, type Timers } from '@headwater/core';
import type { RunSignals } from '@headwater/core/runs';
import { type FileSources, writePlaceFiles } from './write-place-files.ts';

/** Updates the files of places when their tables change. */
export interface PlaceFiles {
  /** Checks all places once. Then checks each place for which a run publishes tables. */
  start(): void;
  touch(tehsilId: number): void;
  /** Stops the updates. A file that is being written keeps its old content. */
  close(): Promise<void>;
}

/** Dependencies of `createPlaceFiles`. */
export interface PlaceFileParts extends FileSources {
  readonly signals: RunSignals;
  readonly logger: Logger;
  readonly timers: Timers;
}

interface Pending {
  readonly runs: Set<string>;
  readonly tehsils: Set<number>;
  /**
   * True if notifications may have been missed. The next check then includes all places whose newest table was
   * published after `Seen.newest` minus `LATE_MS`.
   */
  newest: boolean;
  every: boolean;
}

/** Waiting time before a check, so that runs in succession are handled together. */
const PAUSE_MS = 2000;
/**
 * Maximum time between the timestamp of a publication and its commit, ms. Before the commit, other processes do not see
 * the publication.
 */
const LATE_MS = 3_600_000;

interface Seen {
  /** Time of the newest publication that a check has found, ms since 1970. */
  newest: number | undefined;
}

interface CheckParts extends PlaceFileParts {
  readonly seen: Seen;
}

const nothing = (): Pending => ({ runs: new Set(), tehsils: new Set(), newest: false, every: false });
const isAny = ({ runs, tehsils, newest, every }: Pending): boolean => runs.size + tehsils.size > 0 || newest || every;

/** Creates the object that updates the files. No request waits for an update, and errors are only logged. */
export function createPlaceFiles(parts: PlaceFileParts): PlaceFiles {
  const { signals, timers } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let pending = nothing();
  let work: Promise<void> | undefined;
  const seen: Seen = { newest: undefined };
  const loop = async (): Promise<void> => {
    while (isAny(pending) && !signal.aborted) {
      await timers.sleep(PAUSE_MS, signal);
      const current = pending;
      pending = nothing();
      await check({ ...parts, seen }, current, signal);
    }
    work = undefined;
  };
  const schedule = (): void => {
    if (!signal.aborted) work ??= loop();
  };
  const onChange = (runId?: string): void => {
    if (runId === undefined) pending.newest = true;
    else pending.runs.add(runId);
    schedule();
  };
  return {
    start: () => {
      if (signals.listeners('changed').includes(onChange)) return;
      signals.on('changed', onChange);
      pending.every = true;
      schedule();
    },
    touch: (tehsilId) => {
      pending.tehsils.add(tehsilId);
      schedule();
    },
    close: async () => {
      signals.off('changed', onChange);
      stopping.abort();
      await work;
    },
  };
}

async function check(parts: CheckParts, pending: Pending, signal: AbortSignal): Promise<void> {
  const found = await attempt(parts, { signal }, () => tehsilsOf(parts, pending));
  for (const tehsilId of found ?? pending.tehsils) {
    await attempt(parts, { signal, tehsilId }, () => writePlaceFiles(parts, tehsilId, signal));
  }
}

/** The tehsils of `pending`. `newest` adds tehsils with newer tables; `every` adds all tehsils with tables. */
async function tehsilsOf({ stores, seen }: CheckParts, pending: Pending): Promise<ReadonlySet<number>> {
  const { data } = stores;
  const found = new Set(pending.tehsils);
  for (const run of pending.runs) for (const { tehsilId } of await data.tablesOfRun(run)) found.add(tehsilId);
  if (!pending.every && !pending.newest) return found;
  const since = pending.every || seen.newest === undefined ? undefined : seen.newest - LATE_MS;
  const listed = await data.tehsilsWithTables(since === undefined ? undefined : new Date(since).toISOString());
  for (const { tehsilId } of listed) found.add(tehsilId);
  const times = listed.map(({ publishedAt }) => Date.parse(publishedAt));
  if (times.length > 0) seen.newest = times.reduce((a, b) => Math.max(a, b));
  return found;
}

/** Logs a failure of `work` and returns undefined, so that other places are still updated. */
async function attempt<T>(
  { logger }: PlaceFileParts,
  { signal, ...fields }: { readonly signal: AbortSignal; readonly tehsilId?: number },
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return undefined;
    const reason = messageOf(error);
    const remedy =
      'The next attempt is after the next publication of the place, at the next start, or when its workbook is refreshed by the API.';
    logger.error(
      { ...fields, error: reason },
      `warning: could not write the files of a place. ${remedy} Reason: ${reason}`,
    );
    return undefined;
  }
}
