import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { RunStore } from '@headwater/core/ports';
import { attemptsIn } from '@headwater/ingest';
import { type CommandSyntax, usageOf } from '../command.ts';
import { type Config, ConfigError } from '../config/read-config.ts';
import { isEmbeddedRunning, openStoresBeside } from '../database.ts';
import { REPLACED } from '../backup/manifest.ts';
import { requireDataDir } from '../data-dir.ts';
import { assetsFolder, checkAssets } from '../join-servers.ts';
import { readArguments } from '../read-arguments.ts';
import { deadScratchFolders, type ScratchOptions } from '../scratch-folder.ts';
import { bytesIn } from '../system-facts.ts';

/** Syntax of `headwater clean`. */
export const CLEAN: CommandSyntax = { name: 'clean', options: ['[--dry-run] [--budget-gb N]'] };

/** Lines of `headwater clean --help` after its usage. */
export const CLEAN_DETAILS: readonly string[] = [
  'Removes files of DATA_DIR that nothing uses, also while the service runs. Always: scratch folders of ended processes, data that an interrupted restore replaced, and the files of failed runs and',
  'of results that were replaced more than REPLACED_FILES_HOURS ago. If DATA_DIR is then larger than the budget: older log files (not the current one), then files of results',
  'that were replaced less than REPLACED_FILES_HOURS ago (links to a file of an old run then return 404). The oldest are removed first, until DATA_DIR fits.',
  'A file that an Item or a layer names is never removed.',
  '--dry-run       lists in this order what would be removed, and removes nothing',
  '--budget-gb N   budget in GB; default: DATA_DISK_BUDGET_GB (0: none)',
  'Exit code 1: DATA_DIR is larger than the budget, and the largest folders are listed. Example: npx headwater clean --dry-run',
];

const OPTIONS = { 'dry-run': { type: 'boolean', default: false }, 'budget-gb': { type: 'string' } } as const;
const GB = 1_000_000_000;
const HOUR_MS = 3_600_000;

/** File or folder that nothing uses. */
interface Leftover {
  readonly path: string;
  readonly bytes: number;
  readonly what: string;
  readonly changedMs: number;
}

interface Leftovers {
  readonly useless: readonly Leftover[];
  /** Leftovers that are removed only if DATA_DIR exceeds its budget (`Config.diskBudgetBytes`). */
  readonly spare: readonly Leftover[];
}

/**
 * Removes files that nothing uses. If DATA_DIR then exceeds its budget, also removes older log files and files of
 * recently replaced results, until DATA_DIR fits.
 */
export async function cleanCommand(config: Config, args: readonly string[]): Promise<void> {
  const { values } = readArguments({ args, options: OPTIONS }, usageOf(CLEAN));
  const budget = budgetOf(values['budget-gb']) ?? config.diskBudgetBytes;
  const { dataDir } = config;
  await requireDataDir(dataDir);
  // If `exclusive` is false, a service in another container may use DATA_DIR. The scratch folders of other hosts are
  // then removed only after a day without use.
  const exclusive = config.database === undefined && !isEmbeddedRunning(dataDir);
  const stores = await openStoresBeside(config);
  let found: Leftovers;
  try {
    if (config.database !== undefined) await checkAssets(stores.installation, dataDir);
    found = await leftovers(config, stores.runs, { exclusive });
  } finally {
    await stores.close();
  }
  let size = await bytesIn(dataDir);
  const before = size;
  const remove = async (each: Leftover): Promise<void> => {
    print(
      `${values['dry-run'] ? 'would remove' : 'removed'} ${each.what}: ${relative(dataDir, each.path)} (${megabytes(each.bytes)})`,
    );
    if (!values['dry-run']) await removePath(each.path);
    size -= each.bytes;
  };
  for (const each of found.useless) await remove(each);
  for (const each of found.spare) if (budget > 0 && size > budget) await remove(each);
  const freed = `${megabytes(before - size)} ${values['dry-run'] ? 'would be' : 'are'} freed`;
  print(`${freed}; ${dataDir} then has ${megabytes(size)}${budget > 0 ? ` of ${megabytes(budget)}` : ''}`);
  if (budget > 0 && size > budget) await reportExcess(dataDir, size - budget);
}

function budgetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const gigabytes = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || gigabytes === 0)
    throw new ConfigError(`--budget-gb: ${JSON.stringify(text)} is not a number of GB above 0.\n${usageOf(CLEAN)}`);
  return gigabytes * GB;
}

async function leftovers(config: Config, runs: RunStore, options: ScratchOptions): Promise<Leftovers> {
  const { dataDir } = config;
  const assets = await deadAttempts(assetsFolder(dataDir), runs, config.replacedFilesHours * HOUR_MS);
  const scratch = await deadScratchFolders(join(dataDir, 'scratch'), options);
  const described = async (paths: readonly string[], what: string): Promise<readonly Leftover[]> => {
    const all = await Promise.all(paths.map((path) => describe(path, what)));
    return all.flatMap((each) => each ?? []).toSorted((a, b) => a.changedMs - b.changedMs);
  };
  return {
    useless: [
      ...(await described(scratch, 'a scratch folder')),
      ...(await described([join(dataDir, REPLACED)], 'data that a restore replaced')),
      ...(await described(assets.dead, 'files of a failed or replaced run')),
    ],
    spare: [
      ...(await described(await olderLogs(join(dataDir, 'logs', 'headwater')), 'an older log file')),
      ...(await described(assets.replaced, 'files of a replaced result')),
    ],
  };
}

async function describe(path: string, what: string): Promise<Leftover | undefined> {
  const status = await stat(path).catch(() => undefined);
  if (status === undefined) return undefined;
  const bytes = status.isDirectory() ? await bytesIn(path) : status.size;
  return { path, bytes, what, changedMs: status.mtimeMs };
}

/**
 * Returns folders of attempts that are not in use. `replaced`: the result was replaced less than `keepMs` ago; `dead`:
 * all others. Leaves out folders of unknown runs, because another database may share the disk.
 */
async function deadAttempts(
  root: string,
  runs: RunStore,
  keepMs: number,
): Promise<{ readonly dead: readonly string[]; readonly replaced: readonly string[] }> {
  const dead: string[] = [];
  const replaced: string[] = [];
  // Folders are listed before the attempts are read. An attempt is stored before its folder is created, so the
  // attempts of all listed folders are known.
  const folders = (await attemptsIn(root)).flatMap(({ run, tokens }) => tokens.map((token) => `${run}/${token}`));
  const keyed = async (ms: number) => new Set((await runs.liveAttempts(ms)).map(({ id, token }) => `${id}/${token}`));
  const [used, inGrace] = [await keyed(0), await keyed(keepMs)];
  for (const key of folders) {
    if (used.has(key) || (await runs.get(dirname(key))) === undefined) continue;
    (inGrace.has(key) ? replaced : dead).push(join(root, key));
  }
  return { dead, replaced };
}

/** Paths of renamed log files. A process that has not yet noticed the rename may still write to the newest one. */
async function olderLogs(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.startsWith('headwater.log.')).map((name) => join(folder, name));
}

async function removePath(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  // Removes the parent folder if it is empty; otherwise `rmdir` fails.
  await rmdir(dirname(path)).catch(() => undefined);
}

/** Prints the largest folders and sets exit code 1. The operator must decide what to remove. */
async function reportExcess(dataDir: string, excess: number): Promise<void> {
  process.exitCode = 1;
  print(`DATA_DIR has ${megabytes(excess)} more than the budget, and no other file can be removed automatically.`);
  const sizes = await Promise.all(
    (await readdir(dataDir)).map(async (name) => ({ name, bytes: await bytesIn(join(dataDir, name)).catch(() => 0) })),
  );
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 4);
  print(`largest: ${largest.map(({ name, bytes }) => `${name} ${megabytes(bytes)}`).join(', ')}`);
  print(
    'Remove scenes of years that are computed (eo), regions or layers that are not needed, or raise DATA_DISK_BUDGET_GB.',
  );
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
