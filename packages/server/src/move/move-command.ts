import { messageOf } from '@headwater/core';
import { createDirectoryAssets, openDump, restRecords } from '@headwater/ingest';
import { readLocalText, writeAtomic } from '@headwater/net/files';
import { createPixelEngine } from '@headwater/raster';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { lockFolder, type HeldWording } from '@headwater/postgres/embedded';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MOVING } from '../backup/data-files.ts';
import { type Config, ConfigError } from '../config/read-config.ts';
import { openStoresBeside } from '../database.ts';
import { layerTools } from '../import-command.ts';
import { assetsFolder, joinAssets } from '../join-servers.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { abortOnSignals } from '../stop-on-signals.ts';
import { moveDump } from './move-dump.ts';
import { type MoveOptions, readMoveOptions } from './move-options.ts';
import { writeMoveReport } from './move-report.ts';

/**
 * Moves the data of a live system (another program) to this service. Each record is stored completely or not at all. A
 * second call continues an interrupted move. The exit code is 1 if a record was refused.
 */
export async function moveCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readMoveOptions(args);
  if (!existsSync(config.dataDir))
    throw new ConfigError(
      `DATA_DIR: there is no folder ${config.dataDir}. Start the service once, or correct the name.`,
    );
  const folder = join(config.dataDir, MOVING);
  // The folder is private, because downloads and responses contain personal data.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  // Without this lock, two moves could run at the same time, because both can use the database of a running service.
  const lock = lockFolder(folder, IN_USE);
  try {
    await runMove(config, options);
    await emptyFolder(folder, () => true);
  } finally {
    // After a failure, only stored responses are removed. The next call reads the live system again, but continues the
    // downloads.
    await emptyFolder(folder, (name) => name === REST);
    lock.release();
  }
}

const IN_USE: HeldWording = (folder, holder) =>
  `Another move uses ${folder}: ${holder}. Wait until it has ended, and call the command again.`;

/** Responses of a live system, stored as a dump. */
const REST = 'rest';

async function emptyFolder(folder: string, isRemoved: (name: string) => boolean): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('headwater.lock') && isRemoved(name));
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
}

async function runMove(config: Config, options: MoveOptions): Promise<void> {
  const terminal = createTerminal(process.stdout);
  const signal = abortOnSignals((name) => `stopped by ${name}; the next call continues from here.`);
  const notice = (message: string): void => terminal.write(`${message}\n`);
  const path = await dumpPath(options.from, { config, signal, notice });
  const dump = await openDump(path, signal);
  const stores = await openStoresBeside(config);
  const scratchDir = await scratchFolder(join(config.dataDir, 'scratch'), { exclusive: false });
  const network = { allowedOrigins: config.allowedOrigins };
  const pixels = createPixelEngine({ scratchDir, threads: 1, network, keepsThreads: true });
  try {
    const owner = await stores.users.firstSuperuser();
    if (owner === undefined)
      throw new ConfigError(
        'there is no superuser yet, and the moved layers need one as their owner. Start the service once.',
      );
    // Throws if DATA_DIR is not the service's folder, because the service could not serve the moved files.
    if (config.database !== undefined) await joinAssets(stores.installation, config.dataDir);
    const layers = await layerTools({ pixels, assets: createDirectoryAssets(assetsFolder(config.dataDir)) });
    const files = {
      folder: dirname(path),
      downloads: join(config.dataDir, MOVING),
      allowedOrigins: config.allowedOrigins,
      signal,
      notice,
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

interface Reading {
  readonly config: Pick<Config, 'dataDir' | 'allowedOrigins'>;
  readonly signal: AbortSignal;
  readonly notice: (message: string) => void;
}

/**
 * Returns the path of the dump. REST responses are first written to a dump, so that all further steps only read a dump.
 */
async function dumpPath(from: MoveOptions['from'], { config, signal, notice }: Reading): Promise<string> {
  if ('dump' in from) {
    if ((await stat(from.dump).catch(() => undefined))?.isFile() === true) return from.dump;
    throw new ConfigError(`DUMP: there is no file ${from.dump}; check its name.`);
  }
  const { url, license, providers } = from;
  const { origin } = new URL(url);
  const token = await secretIn('--token-file', from.tokenFile);
  const apiKey = await secretIn('--api-key-file', from.apiKeyFile);
  const folder = join(config.dataDir, MOVING, REST);
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'rest.jsonl');
  const header = {
    format: 'headwater-dump',
    version: 1,
    source: origin,
    made_at: new Date().toISOString(),
    ...(license !== undefined && { license }),
    ...(providers.length > 0 && { providers: providers.map((name) => ({ name })) }),
  };
  const network = {
    settings: { allowedOrigins: config.allowedOrigins },
    onWait: (note: string | null) => note !== null && notice(note),
  };
  await writeAtomic(path, async (sink) => {
    const write = async (line: object): Promise<void> => await sink.write([Buffer.from(`${JSON.stringify(line)}\n`)]);
    await write(header);
    let records = 0;
    for await (const record of restRecords({ url, token, apiKey, network, signal })) {
      await write(record);
      records += 1;
    }
    await write({ type: 'end', records });
  });
  return path;
}

const MOST_SECRET_BYTES = 16_384;

/**
 * Reads a credential from a file. Credentials are never arguments, because other users of the machine can list
 * arguments.
 */
async function secretIn(option: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    const text = (await readLocalText(path, { within: undefined, maxBytes: MOST_SECRET_BYTES })).trim();
    if (/^[\x21-\x7e]+$/.test(text)) return text;
  } catch (error) {
    throw new ConfigError(`${option}: ${messageOf(error)}`);
  }
  throw new ConfigError(`${option}: ${path} must have one line, the credential itself.`);
}
