import { type Importer, isDomainError, type Logger, messageOf } from '@headwater/core';
import { findImporter, isWhollyRefused } from '@headwater/core/imports';
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
import { assetsFolder, joinAssets } from './join-servers.ts';
import { abortOnSignals } from './stop-on-signals.ts';

/** Tools that publish imported layers, for the service and for the command. */
export async function layerTools({ pixels, assets }: Pick<ComputeParts, 'pixels' | 'assets'>): Promise<LayerTools> {
  return { pixels, assets, addresses: storedAddresses(), version: await readVersion() };
}

interface ImportTools {
  readonly options: ImportOptions;
  readonly importers: readonly Importer[];
  readonly layerOptions: unknown;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * Imports files, with or without a running service. Each file is stored completely or not at all. The exit code is 1 if
 * a file is broken, or if all its rows were refused.
 */
export async function importCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readImportOptions(args);
  await Promise.all(options.files.map(checkFile));
  const layerOptions = options.options === undefined ? undefined : await readOptionsFile(options.options);
  const terminal = createTerminal(process.stdout);
  const signal = abortOnSignals(
    (name) => `stopped by ${name}; nothing of the file in progress was stored; earlier files stay stored.`,
  );
  const stores = await openStoresBeside(config);
  // Scratch files are in DATA_DIR, because the system's temporary folder may be in memory. The folder is not opened
  // exclusively, because a running service may use it too.
  const scratchDir = await scratchFolder(join(config.dataDir, 'scratch'), { exclusive: false });
  const pixels = createPixelEngine({ scratchDir, threads: 1, network: { allowedOrigins: config.allowedOrigins } });
  try {
    const importers = createImporters({
      stores,
      scratchDir,
      layers: await layerTools({ pixels, assets: createDirectoryAssets(assetsFolder(config.dataDir)) }),
    });
    // Throws for an unknown kind or a wrong file ending before any file is stored.
    for (const file of options.files) findImporter(importers, options.kind, basename(file));
    // Throws if DATA_DIR is not the service's folder, because the service could not serve the imported files.
    if (options.kind === 'layer' && config.database !== undefined)
      await joinAssets(stores.installation, config.dataDir);
    const outcomes: ImportOutcome[] = [];
    for (const file of options.files) {
      const outcome = await importOne(file, { options, importers, layerOptions, terminal, signal });
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

async function readOptionsFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const why = messageOf(error);
    throw new ConfigError(`--options: ${path} is not a readable JSON file (${why}); correct the file or its name.`);
  }
}

/** False for a broken file, and for a file whose rows were all refused. */
const isUsable = ({ report }: ImportOutcome): boolean => report !== undefined && !isWhollyRefused(report);

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new ConfigError(`FILE: there is no file ${path}; check its name.`);
}

/** Logs nothing, because the terminal shows a progress bar. */
const QUIET: Logger = { debug: () => {}, info: () => {}, error: () => {} };

async function importOne(
  path: string,
  { options, importers, layerOptions, terminal, signal }: ImportTools,
): Promise<ImportOutcome> {
  const fileName = basename(path);
  const { kind, place, isTrial } = options;
  const bar = createProgressBar(fileName, { terminal, logger: QUIET });
  const progress = (done: number, total?: number): void =>
    bar.update(total === undefined || total === 0 ? 0 : done / total, kind);
  try {
    const optional = { ...(place && { place }), ...(layerOptions !== undefined && { options: layerOptions }) };
    const job = { path, fileName, isTrial, signal, progress, ...optional };
    return { fileName, isTrial, report: await findImporter(importers, kind, fileName).run(job) };
  } catch (error) {
    if (!isDomainError(error) || error.code === 'unavailable') throw error;
    return { fileName, isTrial, problem: error.message };
  } finally {
    bar.end();
  }
}
