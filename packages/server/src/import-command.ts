import { type Importer, isDomainError, type Logger, messageOf } from '@headwater/core';
import { findImporter } from '@headwater/core/imports';
import { type ComputeParts, storedAddresses } from '@headwater/http-service';
import { createDirectoryAssets, createImporters, type LayerTools } from '@headwater/ingest';
import { createPixelEngine } from '@headwater/raster';
import { createProgressBar, createTerminal, type Terminal } from '@headwater/stac-cli/terminal';
import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Config, ConfigError } from './config/read-config.ts';
import { openStoresBeside } from './database.ts';
import { type ImportOptions, readImportOptions } from './import-options.ts';
import { type ImportOutcome, outcomeLines, writeReport } from './import-report.ts';
import { readVersion } from './read-version.ts';
import { scratchFolder } from './scratch-folder.ts';
import { assetsFolder, joinAssets } from './several-servers.ts';

/** What publishes imported layers beside those of runs, for the service and for the command. */
export async function layerTools({ pixels, assets }: Pick<ComputeParts, 'pixels' | 'assets'>): Promise<LayerTools> {
  return { pixels, assets, addresses: storedAddresses(), version: await readVersion() };
}

/** What the command works with. */
interface ImportTools {
  readonly options: ImportOptions;
  readonly importers: readonly Importer[];
  /** What the options file holds. */
  readonly told: unknown;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * Imports files beside a running service or without one. Each file is stored whole or, where it is broken, not at all; then the exit
 * code is 1.
 */
export async function importCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readImportOptions(args);
  await Promise.all(options.files.map(checkFile));
  const told = options.options === undefined ? undefined : await readToldOptions(options.options);
  const terminal = createTerminal(process.stdout);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new ConfigError(`stopped by ${signal}; nothing of this file was stored.`)));
  const stores = await openStoresBeside(config);
  // On the disk of the data: what a system keeps for temporary files may be memory. A service may be at work beside it.
  const scratchDir = await scratchFolder(join(config.dataDir, 'scratch'), { exclusive: false });
  const pixels = createPixelEngine({ scratchDir, threads: 1, network: { allowedOrigins: config.allowedOrigins } });
  try {
    const importers = createImporters({
      stores,
      scratchDir,
      layers: await layerTools({ pixels, assets: createDirectoryAssets(assetsFolder(config.dataDir)) }),
    });
    // A kind that is not there, or a file of another kind, is told before any file is stored.
    for (const file of options.files) findImporter(importers, options.kind, basename(file));
    // Files of a layer that lay in another folder than the service's would never be served.
    if (options.kind === 'layer' && config.database !== undefined)
      await joinAssets(stores.installation, config.dataDir);
    const outcomes: ImportOutcome[] = [];
    for (const file of options.files) {
      const outcome = await importOne(file, { options, importers, told, terminal, signal: stop.signal });
      outcomes.push(outcome);
      for (const line of outcomeLines(outcome)) terminal.write(`${line}\n`);
    }
    if (options.report !== undefined) await writeReport(options.report, outcomes);
    if (!outcomes.every(isUsable)) process.exitCode = 1;
  } finally {
    await pixels.close();
    await stores.close();
    await rm(scratchDir, { recursive: true, force: true });
  }
}

/** The JSON of an options file; the importer checks what it says. */
async function readToldOptions(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const why = messageOf(error);
    throw new ConfigError(`--options: ${path} is no JSON file that can be read: ${why}`);
  }
}

/** False for a broken file, and for one of which everything was refused. */
const isUsable = ({ report }: ImportOutcome): boolean =>
  report !== undefined && (report.refusedCount === 0 || report.stored + report.unchanged > 0);

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new ConfigError(`FILE: there is no file ${path}; check its name.`);
}

/** A bar where this is a terminal; a command logs nothing else. */
const QUIET: Logger = { debug: () => {}, info: () => {}, error: () => {} };

async function importOne(
  path: string,
  { options, importers, told, terminal, signal }: ImportTools,
): Promise<ImportOutcome> {
  const fileName = basename(path);
  const { kind, place, isTrial } = options;
  const bar = createProgressBar(fileName, { terminal, logger: QUIET });
  const progress = (done: number, total?: number): void =>
    bar.update(total === undefined || total === 0 ? 0 : done / total, kind);
  try {
    const given = { ...(place && { place }), ...(told !== undefined && { options: told }) };
    const job = { path, fileName, isTrial, signal, progress, ...given };
    return { fileName, isTrial, report: await findImporter(importers, kind, fileName).run(job) };
  } catch (error) {
    if (!isDomainError(error) || error.code === 'unavailable') throw error;
    return { fileName, isTrial, problem: error.message };
  } finally {
    bar.end();
  }
}
