import { createDirectoryAssets, openDump } from '@headwater/ingest';
import { createPixelEngine } from '@headwater/raster';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, ConfigError } from '../config/read-config.ts';
import { openStoresBeside } from '../database.ts';
import { layerTools } from '../import-command.ts';
import { assetsFolder, joinAssets } from '../join-servers.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { abortOnSignals } from '../stop-on-signals.ts';
import { moveDump } from './move-dump.ts';
import { readMoveOptions } from './move-options.ts';
import { writeMoveReport } from './move-report.ts';

/**
 * Moves a live system, next to a running service or without a service. Each record is stored completely or not at all; a second call continues,
 * and changes nothing if everything was moved. The exit code is 1 if a record was refused.
 */
export async function moveCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readMoveOptions(args);
  if ((await stat(options.dump).catch(() => undefined))?.isFile() !== true)
    throw new ConfigError(`DUMP: there is no file ${options.dump}; check its name.`);
  const terminal = createTerminal(process.stdout);
  const signal = abortOnSignals((name) => `stopped by ${name}; the next call continues from here.`);
  const dump = await openDump(options.dump, signal);
  const stores = await openStoresBeside(config);
  const scratchDir = await scratchFolder(join(config.dataDir, 'scratch'), { exclusive: false });
  const pixels = createPixelEngine({ scratchDir, threads: 1, network: { allowedOrigins: config.allowedOrigins } });
  try {
    const owner = await stores.users.firstSuperuser();
    if (owner === undefined)
      throw new ConfigError('there is no superuser yet, who would own the layers. Start the service once.');
    // The service could not serve layer files in another folder.
    if (config.database !== undefined) await joinAssets(stores.installation, config.dataDir);
    const layers = await layerTools({ pixels, assets: createDirectoryAssets(assetsFolder(config.dataDir)) });
    const files = {
      folder: dirname(options.dump),
      downloads: join(config.dataDir, 'moving'),
      allowedOrigins: config.allowedOrigins,
      signal,
      notice: (message: string) => terminal.write(`${message}\n`),
    };
    const data = { layers, files, scratchDir, ownerId: owner.id };
    const report = await moveDump(dump, { options, stores, terminal, signal, data });
    for (const line of report.lines(options.isTrial)) terminal.write(`${line}\n`);
    const facts = { source: dump.header.source, isTrial: options.isTrial };
    if (options.report !== undefined) await writeMoveReport(options.report, report, facts);
    if (report.total('refused') > 0) process.exitCode = 1;
  } finally {
    await pixels.close();
    await stores.close();
    await rm(scratchDir, { recursive: true, force: true });
  }
}
