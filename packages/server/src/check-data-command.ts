import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPixelEngine } from '@headwater/raster';
import { checkData } from './check-data.ts';
import { type CommandSyntax, usageOf } from './command.ts';
import type { Config } from './config/read-config.ts';
import { elevationOf, scenesOf } from './local-compute.ts';
import { requireDataDir } from './data-dir.ts';
import { readArguments } from './read-arguments.ts';

/** Syntax of `headwater check-data`. */
export const CHECK_DATA: CommandSyntax = { name: 'check-data', options: [''] };

/** Checks the data of DATA_DIR and of the catalogues; exit code 1 if something is missing. */
export async function checkDataCommand(config: Config, args: readonly string[]): Promise<void> {
  readArguments({ args, options: {} }, usageOf(CHECK_DATA));
  await requireDataDir(config.dataDir);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const scratchDir = await mkdtemp(join(tmpdir(), 'headwater-check-'));
  const pixels = createPixelEngine({ scratchDir, threads: 1, network: { allowedOrigins: config.allowedOrigins } });
  try {
    const isGood = await checkData({
      dataDir: config.dataDir,
      earthObservation: scenesOf(config),
      elevation: elevationOf(config, { pixels, warn: print }),
      maxCloudCover: config.maxCloudCover,
      now: new Date(),
      print,
    });
    process.exitCode = isGood ? 0 : 1;
  } finally {
    await pixels.close();
    await rm(scratchDir, { recursive: true, force: true });
  }
}
