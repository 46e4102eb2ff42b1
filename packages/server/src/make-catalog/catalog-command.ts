import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GivenRadiometry } from '@headwater/ingest';
import { createProgressBar, createTerminal, type Notes } from '@headwater/stac-cli/terminal';
import { callerPath, readArguments } from '../read-arguments.ts';
import { type CommandSyntax, usageOf } from '../command.ts';
import { type Config, ConfigError } from '../config/read-config.ts';
import { printedCommand } from '../config/printed-command.ts';
import { prepareDataDir } from '../data-dir.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { findGdal } from './gdal.ts';
import { makeCatalog } from './make-catalog.ts';
import { isComplete, reportLines } from './report-lines.ts';
import { abortOnSignals } from '../stop-on-signals.ts';

/** Syntax of `headwater make-catalog`. */
export const MAKE_CATALOG: CommandSyntax = {
  name: 'make-catalog',
  options: ['FOLDER [--name NAME] [--baseline NN.NN | --offset N]'],
};

/** Lines of `headwater make-catalog --help` after its usage. */
export const CATALOG_DETAILS: readonly string[] = [
  'Reads FOLDER, with SAFE folders, zip files of them, or JPEG 2000 files and GeoTIFFs with a band and a day in their names. JPEG 2000 needs GDAL.',
  '--name NAME       folder of the catalogue below DATA_DIR/eo; default: own-scenes',
  '--baseline NN.NN  processing baseline of files without metadata (N0510 in the name of a product is 05.10)',
  '--offset N        offset of the digital numbers in such files: 0 if the provider removed it, otherwise -1000 since baseline 04.00',
  'If neither these options nor metadata, names or tags determine the offset, files from before 25 January 2022 count as files without an offset; runs leave out later files.',
  'Writes COGs and a STAC catalogue to DATA_DIR/eo/NAME; the downloads do not change. A second call converts only what is new or changed.',
  'Exit code 1: something is missing or could not be converted. Example:',
  '  npx headwater make-catalog ~/Downloads/sentinel',
];
const USAGE = [usageOf(MAKE_CATALOG), ...CATALOG_DETAILS].join('\n');

/** Options of `headwater make-catalog`. */
export interface CatalogOptions {
  /** Absolute path of the folder with the downloads. */
  readonly folder: string;
  readonly name: string;
  readonly given: GivenRadiometry;
}

const OPTIONS = { name: { type: 'string' }, baseline: { type: 'string' }, offset: { type: 'string' } } as const;

/** Joins `--offset` and a negative value, because Node accepts negative values only in the form `--offset=-1000`. */
function withOffset(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--offset');
  const value = args[at + 1] ?? '';
  return at >= 0 && /^-\d+$/.test(value) ? args.toSpliced(at, 2, `--offset=${value}`) : args;
}

/** Parses the arguments. Throws `ConfigError` for a wrong argument. */
export function readCatalogOptions(args: readonly string[]): CatalogOptions {
  const { values, positionals } = readArguments(
    { args: withOffset(args), options: OPTIONS, allowPositionals: true },
    USAGE,
  );
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new ConfigError(`FOLDER: name one folder of downloads.\n${USAGE}`);
  const { name = 'own-scenes', baseline, offset } = values;
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw new ConfigError(`--name: ${JSON.stringify(name)} is not a name of letters, digits, "-", "_" and ".".`);
  if (baseline !== undefined && !/^\d{2}\.\d{2}$/.test(baseline))
    throw new ConfigError(`--baseline: must be a processing baseline such as 05.10, not ${JSON.stringify(baseline)}.`);
  if (offset !== undefined && !/^-?\d{1,5}$/.test(offset))
    throw new ConfigError(`--offset: must be a whole number such as 0 or -1000, not ${JSON.stringify(offset)}.`);
  if (baseline !== undefined && offset !== undefined)
    throw new ConfigError('--baseline, --offset: give one of them; the baseline determines the offset.');
  const given = baseline !== undefined ? { baseline } : offset === undefined ? {} : { offset: Number(offset) };
  return { folder: callerPath(folder), name, given };
}

/**
 * Makes a catalogue of downloaded scenes. The exit code is 1 if a file is missing or could not be converted, or if the
 * offset of a scene is unknown.
 */
export async function makeCatalogCommand(config: Config, args: readonly string[]): Promise<void> {
  const { folder, name, given } = readCatalogOptions(args);
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true)
    throw new ConfigError(`FOLDER: there is no folder ${folder}; check its name.`);
  await prepareDataDir(config.dataDir);
  const signal = abortOnSignals((name) => `stopped by ${name}; call again to continue, nothing is converted twice.`);
  const terminal = createTerminal(process.stdout);
  const bar = createProgressBar('make-catalog', { terminal, logger: linesOf(terminal.write) });
  const scratchDir = await scratchFolder(join(config.dataDir, 'scratch'), { exclusive: false });
  try {
    const catalog = await makeCatalog({
      folder,
      eoDir: join(config.dataDir, 'eo'),
      name,
      given,
      tools: { gdal: await findGdal(), scratchDir, signal },
      progress: (done, total, next) => bar.update(done / total, `${done + 1} of ${total}: ${next}`),
    });
    bar.end();
    for (const line of reportLines(catalog, printedCommand(config.shell, 'check-data'))) terminal.write(`${line}\n`);
    process.exitCode = isComplete(catalog) ? 0 : 1;
  } finally {
    bar.end();
  }
}

/** Progress as lines, for output that is not a terminal. */
const linesOf = (write: (text: string) => void): Notes => ({
  info: ({ percent, step }, title) => write(`${title}: ${String(percent)} %, ${String(step)}\n`),
});
