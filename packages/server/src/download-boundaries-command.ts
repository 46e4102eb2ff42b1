import type { Logger } from '@headwater/core';
import { type CommandSyntax, usageOf } from './command.ts';
import { ConfigError, type Config } from './config/read-config.ts';
import { openStoresBeside } from './database.ts';
import { outcomeLines } from './import-report.ts';
import { obtainBoundaries } from './obtain-boundaries.ts';
import { createTerminal, type Terminal } from '@headwater/stac-cli/terminal';
import { abortOnSignals } from './stop-on-signals.ts';

/** Syntax of `headwater download-boundaries`. */
export const DOWNLOAD_BOUNDARIES: CommandSyntax = { name: 'download-boundaries', options: ['[--again]'] };
const USAGE = `${usageOf(DOWNLOAD_BOUNDARIES)}
--again downloads everything again, also boundaries that are stored already.`;

/** Downloads and stores the boundary data, with or without a running service. Continues an incomplete download. */
export async function downloadBoundariesCommand(config: Config, args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => arg !== '--again');
  if (unknown.length > 0) throw new ConfigError(`unknown option: ${unknown.join(' ')}\n${USAGE}`);
  const { boundaryData } = config;
  if (boundaryData === undefined)
    throw new ConfigError('BOUNDARY_DATA_URL: is not set; set it to the address of a file of boundaries.');
  const terminal = createTerminal(process.stdout);
  const signal = abortOnSignals((name) => `stopped by ${name}; the next call continues from here.`);
  const stores = await openStoresBeside(config);
  try {
    const showing = { terminal, logger: terminalLogger(terminal), signal, setDetail: () => {} };
    const options = { config, boundaryData, stores, isForced: args.includes('--again'), ...showing };
    const { isNew, imports, report } = await obtainBoundaries(options);
    if (!isNew) terminal.write('the boundaries of this address are stored already; --again downloads them again\n');
    for (const done of imports) for (const line of outcomeLines(done)) terminal.write(`${line}\n`);
    if (isNew) terminal.write(`refused and repaired rows: ${report}\n`);
  } finally {
    await stores.close();
  }
}

function terminalLogger(terminal: Terminal): Logger {
  const write = (fields: object, message: string): void =>
    terminal.write(`${[message, ...Object.values(fields).map(String)].join(' ')}\n`);
  return { debug: () => {}, info: write, error: write };
}
