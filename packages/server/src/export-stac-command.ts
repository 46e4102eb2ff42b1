import { catalogTree } from '@headwater/http-service';
import { exportTree, FORMATS, isFormat, TargetError, TreeError, type ExportFormat } from '@headwater/stac-cli';
import { createProgressBar, createTerminal } from '@headwater/stac-cli/terminal';
import { type CommandSyntax, usageOf } from './command.ts';
import { ConfigError, type Config } from './config/read-config.ts';
import { publicationOf } from './config/service.ts';
import { openStoresBeside } from './database.ts';
import { createPipelines } from './pipelines.ts';
import { callerPath, readArguments } from './read-arguments.ts';
import { abortOnSignals } from './stop-on-signals.ts';

/** Options of `headwater export-stac`. */
export interface ExportStacOptions {
  readonly format: ExportFormat;
  /** Absolute path of the folder for static files, or of the file for other formats. */
  readonly out: string;
  readonly replace: boolean;
}

/** Syntax of `headwater export-stac`. */
export const EXPORT_STAC: CommandSyntax = {
  name: 'export-stac',
  options: [`--out PATH [--format ${FORMATS.join('|')}] [--replace]`],
};
const USAGE = usageOf(EXPORT_STAC);

/** Lines of `headwater export-stac --help` after its usage. */
export const EXPORT_DETAILS: readonly string[] = [
  'Reads the published Items from the database of the service (DB_HOST, or embedded in DATA_DIR), also while the service runs.',
  'Writes STAC documents only. Their links to rasters and tables begin with PUBLIC_BASE_URL, so the service must still serve these files.',
  '--out PATH           folder for static, file for the other formats; created if it does not exist',
  '--format static      a catalog with Collections and Items as JSON files, for a web server or STAC Browser; the default',
  '--format ndjson      one Item a line, for loaders such as pypgstac',
  '--format geoparquet  one table of Items (stac-geoparquet), for DuckDB, GeoPandas and QGIS',
  '--replace            replaces an earlier export at PATH',
  'Layers of regions (boxes in degrees, not tehsils) are left out. Example:',
  '  PUBLIC_BASE_URL=https://maps.example.org npx headwater export-stac --out catalog',
];

const OPTIONS = {
  out: { type: 'string' },
  format: { type: 'string', default: 'static' },
  replace: { type: 'boolean', default: false },
} as const;

/** Parses the arguments. Throws `ConfigError` with the wrong argument. */
export function readExportStacOptions(args: readonly string[]): ExportStacOptions {
  const { out, format, replace } = readArguments({ args, options: OPTIONS }, USAGE).values;
  if (out === undefined || out.trim() === '')
    throw new ConfigError(`--out: the folder or file to write is needed.\n${USAGE}`);
  if (!isFormat(format))
    throw new ConfigError(`--format: ${JSON.stringify(format)} is not one of ${FORMATS.join(', ')}.\n${USAGE}`);
  return { format, out: callerPath(out), replace };
}

/** Exports the published Items, with or without a running service. Addresses begin with PUBLIC_BASE_URL. */
export async function exportStacCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readExportStacOptions(args);
  const signal = abortOnSignals((name) => `stopped by ${name}; nothing was written.`);
  const stores = await openStoresBeside(config);
  const terminal = createTerminal(process.stdout);
  const bar = createProgressBar('export', { terminal, logger: { info: () => {} } });
  try {
    const { baseUrl } = config;
    const publication = publicationOf(config);
    const tree = catalogTree({ stores, pipelines: createPipelines(), baseUrl, publication });
    const progress = (done: number, known: number): void => bar.update(done / known, `${done} of ${known} documents`);
    const lines = await exportTree(tree, { ...options, progress, signal });
    bar.end();
    for (const line of lines) terminal.write(`${line}\n`);
  } catch (error) {
    if (error instanceof TreeError || error instanceof TargetError) throw new ConfigError(error.message);
    throw error;
  } finally {
    bar.end();
    await stores.close();
  }
}
