import { IMPORT_KINDS } from '@headwater/core/imports';
import type { ImportPlace } from '@headwater/core/ports';
import { type CommandSyntax, usageOf } from './command.ts';
import { ConfigError } from './config/read-config.ts';
import { callerPath, readArguments } from './read-arguments.ts';

/** Options of `headwater import`. */
export interface ImportOptions {
  readonly kind: string;
  readonly files: readonly string[];
  readonly place: ImportPlace | undefined;
  /** Absolute path of a JSON file with properties of a layer that its file does not contain. */
  readonly options: string | undefined;
  /** True: everything is checked, nothing is stored. */
  readonly isTrial: boolean;
  /** Absolute path of the list of refused and repaired rows: `.json` or `.csv`. */
  readonly report: string | undefined;
}

/** Syntax of `headwater import`. */
export const IMPORT: CommandSyntax = {
  name: 'import',
  options: ['KIND FILE... [--state S --district D --tehsil T] [--options FILE] [--dry-run] [--report FILE]'],
};
const USAGE = `${usageOf(IMPORT)}
KIND is one of ${IMPORT_KINDS.join(', ')}.`;

/** Lines of `headwater import --help` after its usage. */
export const IMPORT_DETAILS: readonly string[] = [
  'KIND says what is in FILE:',
  '  places    tehsils with the properties state, district, tehsil (GeoPackage, zipped Shapefile, KML, GeoJSON)',
  '  mws       micro-watersheds with uid, and with the names of their tehsil or the three options below (same formats)',
  '  villages  villages with vill_ID and vill_name, and with the names of their tehsil or the three options below (same formats)',
  '  workbook  tables of a tehsil (DISTRICT_TEHSIL.xlsx), a sheet for each table',
  '  series    time series by uid (deltaG_fortnight_DISTRICT_TEHSIL.geojson, ndvi_timeseries_DISTRICT_TEHSIL_crop.geojson, CSV)',
  '  layer     a map layer (GeoJSON, GeoTIFF), published as a STAC Item; needs --options',
  'Reads each FILE; relative paths start at the current folder. Writes to the database of the service (DB_HOST, or embedded in DATA_DIR), and layers to DATA_DIR/assets.',
  'The service must have been started once, and may be running. Nothing of a broken file is stored.',
  '--state S --district D --tehsil T  tehsil of a file that does not name it',
  '--options FILE                     JSON with what the file of a layer does not have, such as its title',
  '--dry-run                          checks everything, stores nothing',
  '--report FILE                      writes refused and repaired rows to a .json or .csv file',
  'Exit code 1: a file is broken, or each of its rows was refused. Examples:',
  '  npx headwater import places tehsils.gpkg',
  '  npx headwater import mws mws.geojson --state Jharkhand --district "West Singhbhum" --tehsil Chaibasa',
  'Rules: docs/places-and-scenes.md',
];

const OPTIONS = {
  state: { type: 'string' },
  district: { type: 'string' },
  tehsil: { type: 'string' },
  options: { type: 'string' },
  'dry-run': { type: 'boolean' },
  report: { type: 'string' },
} as const;

/** Parses the arguments. Throws `ConfigError` with the wrong argument. */
export function readImportOptions(args: readonly string[]): ImportOptions {
  const { values, positionals } = readArguments({ args, options: OPTIONS, allowPositionals: true }, USAGE);
  const [kind, ...files] = positionals;
  if (kind === undefined || files.length === 0) throw new ConfigError(`KIND and FILE are needed.\n${USAGE}`);
  const { options, report } = values;
  if (report !== undefined && !/\.(json|csv)$/i.test(report))
    throw new ConfigError(`--report: must be the name of a .json or .csv file, not ${JSON.stringify(report)}.`);
  return {
    kind,
    files: files.map((file) => callerPath(file)),
    place: placeOf(values),
    options: options === undefined ? undefined : callerPath(options),
    isTrial: values['dry-run'] ?? false,
    report: report === undefined ? undefined : callerPath(report),
  };
}

function placeOf({ state, district, tehsil }: Partial<ImportPlace>): ImportPlace | undefined {
  if (state !== undefined && district !== undefined && tehsil !== undefined) return { state, district, tehsil };
  const missing = Object.entries({ state, district, tehsil }).flatMap(([name, value]) =>
    value === undefined ? [`--${name}`] : [],
  );
  if (missing.length === 3) return undefined;
  throw new ConfigError(`${missing.join(', ')}: missing; a tehsil needs --state, --district and --tehsil together.`);
}
