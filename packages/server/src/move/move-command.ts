import { type Logger } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { type Dump, openDump } from '@headwater/ingest';
import { createProgressBar, createTerminal, type Terminal } from '@headwater/stac-cli/terminal';
import { stat } from 'node:fs/promises';
import { type Config, ConfigError } from '../config/read-config.ts';
import { openStoresBeside } from '../database.ts';
import { abortOnSignals } from '../stop-on-signals.ts';
import { accountMover, refusalOf, type RecordMover } from './move-accounts.ts';
import { type MoveOptions, readMoveOptions } from './move-options.ts';
import { MoveReport, writeMoveReport } from './move-report.ts';

/**
 * Moves accounts of a live system, next to a running service or without a service. Each record is stored completely or not at all; a second call
 * continues, and changes nothing if everything was moved. The exit code is 1 if a record was refused.
 */
export async function moveCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readMoveOptions(args);
  if ((await stat(options.dump).catch(() => undefined))?.isFile() !== true)
    throw new ConfigError(`DUMP: there is no file ${options.dump}; check its name.`);
  const terminal = createTerminal(process.stdout);
  const signal = abortOnSignals((name) => `stopped by ${name}; the next call continues from here.`);
  const dump = await openDump(options.dump, signal);
  const stores = await openStoresBeside(config);
  try {
    const report = await moveDump(dump, { options, stores, terminal, signal });
    for (const line of report.lines(options.isTrial)) terminal.write(`${line}\n`);
    const facts = { source: dump.header.source, isTrial: options.isTrial };
    if (options.report !== undefined) await writeMoveReport(options.report, report, facts);
    if (report.total('refused') > 0) process.exitCode = 1;
  } finally {
    await stores.close();
  }
}

/** Parts of a move. */
export interface MoveTools {
  readonly options: Pick<MoveOptions, 'isTrial' | 'withSuperusers' | 'mayCompute'>;
  readonly stores: Stores;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Logger that logs nothing: the command shows a progress bar on a terminal instead. */
const QUIET: Logger = { debug: () => {}, info: () => {}, error: () => {} };

/** Moves all records of a dump. Only one process does this at a time. */
export async function moveDump(dump: Dump, tools: MoveTools): Promise<MoveReport> {
  const { options, stores, terminal, signal } = tools;
  const report = new MoveReport();
  const bar = createProgressBar('live system', { terminal, logger: QUIET });
  const work = async (until: AbortSignal): Promise<void> => {
    const mover = await accountMover({ ...options, stores, source: dump.header.source, report }, dump);
    let done = 0;
    for await (const each of uniqueLines(dump, report)) {
      until.throwIfAborted();
      await moveOne(each, { mover, report });
      done += 1;
      if (done % 20 === 0) bar.update(done / Math.max(1, dump.count), each.record.type);
    }
  };
  try {
    await stores.installation.withLock('live system', work, signal);
    return report;
  } finally {
    bar.end();
  }
}

type GoodLine = Parameters<RecordMover>[0];

/** The valid records, in their order. Reports invalid lines, and records whose id an earlier record of their type has. */
async function* uniqueLines(dump: Dump, report: MoveReport): AsyncGenerator<GoodLine> {
  const seen = new Set<string>();
  for await (const each of dump.lines()) {
    if (!('record' in each)) {
      report.refuse(each, each.problems);
      continue;
    }
    const { line, record } = each;
    const id = String(record.type === 'api_key' ? record.prefix : record.id);
    const key = `${record.type} ${id.toLowerCase() === id || record.type === 'api_key' ? id : id.toLowerCase()}`;
    if (seen.has(key)) {
      const problem = 'an earlier line has this type and id; remove one of the two lines';
      report.refuse({ line, type: record.type, id }, [{ field: 'id', problem }]);
      continue;
    }
    seen.add(key);
    yield each;
  }
}

async function moveOne(
  line: GoodLine,
  { mover, report }: { readonly mover: RecordMover; readonly report: MoveReport },
): Promise<void> {
  const { record } = line;
  try {
    await mover(line);
  } catch (error) {
    const id = String(record.type === 'api_key' ? record.prefix : record.id);
    report.refuse({ line: line.line, type: record.type, id }, refusalOf(error));
  }
}
