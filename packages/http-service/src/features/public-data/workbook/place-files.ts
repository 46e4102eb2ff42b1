import { type Logger, messageOf, type Timers } from '@headwater/core';
import type { RunSignals } from '@headwater/core/runs';
import { type FileSources, writePlaceFiles } from './write-place-files.ts';

/** Keeps the files of places as new as their tables. */
export interface PlaceFiles {
  /** Looks at every place once, and from then on at those whose tables a run publishes, in this process or in another one. */
  start(): void;
  /** Has the files of a place looked at soon. */
  touch(tehsilId: number): void;
  /** Ends a file that is being written, which stays as it was. */
  close(): Promise<void>;
}

/** What it works with. */
export interface PlaceFileParts extends FileSources {
  readonly signals: RunSignals;
  readonly logger: Logger;
  readonly timers: Timers;
}

/** What there is to look at. */
interface Wanted {
  readonly runs: Set<string>;
  readonly tehsils: Set<number>;
  /** News of runs may have been missed: the places whose tables were published since the last such look are looked at. */
  newest: boolean;
  every: boolean;
}

/** Runs that publish one after the other, as those of one request do, are waited for. */
const PAUSE_MS = 2000;
/** Longest time from the publication that a table names until others see it, ms: a transaction may be long. */
const LATE_MS = 3_600_000;

/** State of the tables of all places at the last look. */
interface Seen {
  /** Time of the newest table when they were last listed, epoch ms. */
  newest: number | undefined;
}

interface LookParts extends PlaceFileParts {
  readonly seen: Seen;
}

const nothing = (): Wanted => ({ runs: new Set(), tehsils: new Set(), newest: false, every: false });
const isAny = ({ runs, tehsils, newest, every }: Wanted): boolean => runs.size + tehsils.size > 0 || newest || every;

/** Writes files where tables have another version than they. Nothing of it waits in a request, and a failure stops nothing else. */
export function createPlaceFiles(parts: PlaceFileParts): PlaceFiles {
  const { signals, timers } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let wanted = nothing();
  let work: Promise<void> | undefined;
  const seen: Seen = { newest: undefined };
  const loop = async (): Promise<void> => {
    while (isAny(wanted) && !signal.aborted) {
      await timers.sleep(PAUSE_MS, signal);
      const now = wanted;
      wanted = nothing();
      await look({ ...parts, seen }, now, signal);
    }
    work = undefined;
  };
  const nudge = (): void => {
    if (!signal.aborted) work ??= loop();
  };
  const onChange = (runId?: string): void => {
    if (runId === undefined) wanted.newest = true;
    else wanted.runs.add(runId);
    nudge();
  };
  return {
    start: () => {
      if (signals.listeners('changed').includes(onChange)) return;
      signals.on('changed', onChange);
      wanted.every = true;
      nudge();
    },
    touch: (tehsilId) => {
      wanted.tehsils.add(tehsilId);
      nudge();
    },
    close: async () => {
      signals.off('changed', onChange);
      stopping.abort();
      await work;
    },
  };
}

async function look(parts: LookParts, wanted: Wanted, signal: AbortSignal): Promise<void> {
  const found = await attempt(parts, { signal }, () => tehsilsOf(parts, wanted));
  for (const tehsilId of found ?? wanted.tehsils) {
    await attempt(parts, { signal, tehsilId }, () => writePlaceFiles(parts, tehsilId, signal));
  }
}

/** Places to look at: those that were named, those whose tables these runs published, and all or those with newer tables if that is wanted. */
async function tehsilsOf({ stores, seen }: LookParts, wanted: Wanted): Promise<ReadonlySet<number>> {
  const { data } = stores;
  const found = new Set(wanted.tehsils);
  for (const run of wanted.runs) for (const { tehsilId } of await data.tablesOfRun(run)) found.add(tehsilId);
  if (!wanted.every && !wanted.newest) return found;
  const since = wanted.every || seen.newest === undefined ? undefined : seen.newest - LATE_MS;
  const listed = await data.tehsilsWithTables(since === undefined ? undefined : new Date(since).toISOString());
  for (const { tehsilId } of listed) found.add(tehsilId);
  const times = listed.map(({ publishedAt }) => Date.parse(publishedAt));
  if (times.length > 0) seen.newest = times.reduce((a, b) => Math.max(a, b));
  return found;
}

/** Tells of a failure, which the next publication, the next start and whoever asks for the place's files try again. */
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
    const again =
      'It is tried again after the next publication of the place, at the next start, and by the route that refreshes its workbook.';
    logger.error({ ...fields, error: reason }, `warning: files of a place could not be written: ${reason} ${again}`);
    return undefined;
  }
}
