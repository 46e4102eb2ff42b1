import { IMPORT_KINDS } from '@headwater/core/imports';
import type { ImportPlace } from '@headwater/core/ports';
import { type CommandSyntax, usageOf } from './command.ts';
import { ConfigError } from './config/read-config.ts';
import { callerPath, readArguments } from './read-arguments.ts';

/** Options of `headwater import`. */
export interface ImportOptions {
  readonly kind: string;
  /** Absolute paths, in the order of the arguments. */
  readonly files: readonly string[];
  readonly place: ImportPlace | undefined;
  /** Absolute path of a JSON file with the properties of a layer that its file does not have. */
  readonly options: string | undefined;
  /** True: everything is checked, nothing is stored. */
  readonly isTrial: boolean;
  /** Absolute path of the file that lists refused and repaired rows: `.json` or `.csv`. */
  readonly report: string | undefined;
}

/** Syntax of `headwater import`. */
export const IMPORT: CommandSyntax = {
  name: 'import',
  options: ['KIND FILE... [--state S --district D --tehsil T] [--options FILE] [--dry-run] [--report FILE]'],
};
const USAGE = `${usageOf(IMPORT)}
KIND is one of ${IMPORT_KINDS.join(', ')}.`;

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
