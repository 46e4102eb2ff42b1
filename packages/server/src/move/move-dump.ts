import { isDomainError, type Logger } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { BEING_IMPORTED, type Dump, type GoodLine } from '@headwater/ingest';
import { createProgressBar, type Terminal } from '@headwater/stac-cli/terminal';
import { setTimeout as pause } from 'node:timers/promises';
import { accountMover, refusalOf } from './move-accounts.ts';
import { dataMover, type LayerMoveTools } from './move-layers.ts';
import type { MoveOptions } from './move-options.ts';
import { MoveReport, type RecordRef } from './move-report.ts';

/** Options and tools of `moveDump`. */
export interface MoveTools {
  readonly options: Pick<MoveOptions, 'isTrial' | 'withSuperusers' | 'mayCompute' | 'replaceLayers'>;
  readonly stores: Stores;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly data: LayerMoveTools;
}

/** Logs nothing, because the terminal shows a progress bar. */
const QUIET: Logger = { debug: () => {}, info: () => {}, error: () => {} };

/** Number of layers at a time. One is read or written while the preview of the other is drawn. */
const CONCURRENT_LAYERS = 2;

/** Pause (ms) and maximum number of attempts for a layer whose file another process is importing. */
const RETRY_MS = 5000;
const MOST_TRIES = 20;

/** Moves all records of a dump, under a lock: while one process moves a dump, others wait. */
export async function moveDump(
  dump: Dump,
  { options, stores, terminal, signal, data }: MoveTools,
): Promise<MoveReport> {
  const report = new MoveReport();
  const bar = createProgressBar('live system', { terminal, logger: QUIET });
  const work = async (signal: AbortSignal): Promise<void> => {
    // The first error other than a refused record aborts all other work, and is thrown at the end.
    const halt = new AbortController();
    const until = AbortSignal.any([signal, halt.signal]);
    const move = { ...options, stores, source: dump.header.source, ownerId: data.ownerId, report };
    const moveOne = await recordMover({ move, dump, data: { ...data, files: { ...data.files, signal: until } } });
    let done = 0;
    const step = async (line: GoodLine): Promise<void> => {
      until.throwIfAborted();
      await moveOne(line, until);
      done += 1;
      bar.update(done / Math.max(1, dump.count), line.record.type);
    };
    const running = new Set<Promise<void>>();
    const start = (line: GoodLine): void => {
      const one: Promise<void> = step(line)
        .catch((error: unknown) => halt.abort(error))
        .finally(() => running.delete(one));
      running.add(one);
    };
    try {
      for await (const line of uniqueLines(dump, report)) {
        const most = line.record.type === 'layer' ? CONCURRENT_LAYERS - 1 : 0;
        while (running.size > most) await Promise.race(running);
        if (most === 0) await step(line);
        else start(line);
      }
    } finally {
      // All imports must end first, because the caller then closes the stores.
      await Promise.all(running);
    }
    until.throwIfAborted();
    if (report.all() !== dump.count)
      throw new Error(`The dump has ${dump.count} records, but ${report.all()} were counted; report this fault.`);
  };
  try {
    await stores.installation.withLock('live system', work, signal);
    return report;
  } finally {
    bar.end();
  }
}

interface RecordMove {
  readonly move: Parameters<typeof accountMover>[0];
  readonly dump: Dump;
  readonly data: LayerMoveTools;
}

/** Creates the function that moves a record, or reports it as refused. */
async function recordMover({ move, dump, data }: RecordMove) {
  const accounts = await accountMover(move, dump);
  const others = await dataMover(move, dump.header, data);
  const moveRecord = async ({ record }: GoodLine, ref: RecordRef): Promise<void> => {
    switch (record.type) {
      case 'boundaries':
      case 'tehsil':
      case 'dataset':
      case 'layer':
        return await others(record, ref);
      default:
        return await accounts(record, ref);
    }
  };
  return async (line: GoodLine, signal: AbortSignal): Promise<void> => {
    const ref = refOf(line);
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          return await moveRecord(line, ref);
        } catch (error) {
          if (!isBusy(error) || ref.type !== 'layer' || tries === MOST_TRIES) throw error;
        }
        await pause(RETRY_MS, undefined, { signal });
      }
    } catch (error) {
      signal.throwIfAborted();
      move.report.refuse(ref, refusalOf(error));
    }
  };
}

/** True if another import of the file is running, or was killed during its lease. In both cases a retry may succeed. */
const isBusy = (error: unknown): boolean => isDomainError(error) && error.details['reason'] === BEING_IMPORTED;

function refOf({ line, record }: GoodLine): RecordRef {
  return { line, type: record.type, id: String(record.type === 'api_key' ? record.prefix : record.id) };
}

/**
 * Valid lines with distinct records. Reports invalid lines, and records that have the type and id of an earlier record.
 */
async function* uniqueLines(dump: Dump, report: MoveReport): AsyncGenerator<GoodLine> {
  const seen = new Set<string>();
  for await (const each of dump.lines()) {
    if (!('record' in each)) {
      report.refuse(each, each.problems);
      continue;
    }
    const ref = refOf(each);
    // UUIDs of organisations are equal in upper and lower case.
    const key = `${ref.type} ${ref.type === 'organization' ? ref.id.toLowerCase() : ref.id}`;
    if (seen.has(key)) {
      report.refuse(ref, [
        { field: 'id', problem: 'an earlier line has this type and id; remove one of the two lines' },
      ]);
      continue;
    }
    seen.add(key);
    yield each;
  }
}
