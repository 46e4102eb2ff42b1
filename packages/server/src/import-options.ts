import { IMPORT_KINDS } from '@headwater/core/imports';
import type { ImportPlace } from '@headwater/core/ports';
import { type CommandSyntax, usageOf } from './command.ts';
import { ConfigError } from './config/read-config.ts';
import { givenPath } from './given-path.ts';
import { readArguments } from './read-arguments.ts';

/** What `headwater import` was told. */
export interface ImportOptions {
  readonly kind: string;
  /** Absolute paths, in the order given. */
  readonly files: readonly string[];
  readonly place: ImportPlace | undefined;
  /** Absolute path of a JSON file that says of a layer what its file does not. */
  readonly options: string | undefined;
  /** Everything is checked, nothing is stored. */
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

/** Reads the arguments. Throws `ConfigError` that names the one that is wrong. */
export function readImportOptions(args: readonly string[]): ImportOptions {
  const { values, positionals } = readArguments({ args, options: OPTIONS, allowPositionals: true }, USAGE);
  const [kind, ...files] = positionals;
  if (kind === undefined || files.length === 0) throw new ConfigError(`KIND and FILE are needed.\n${USAGE}`);
  const { options, report } = values;
  if (report !== undefined && !/\.(json|csv)$/i.test(report))
    throw new ConfigError(`--report: give the name of a .json or a .csv file, not ${JSON.stringify(report)}.`);
  return {
    kind,
    files: files.map((file) => givenPath(file)),
    place: placeOf(values),
    options: options === undefined ? undefined : givenPath(options),
    isTrial: values['dry-run'] ?? false,
    report: report === undefined ? undefined : givenPath(report),
  };
}

function placeOf({ state, district, tehsil }: Partial<ImportPlace>): ImportPlace | undefined {
  if (state !== undefined && district !== undefined && tehsil !== undefined) return { state, district, tehsil };
  const missing = Object.entries({ state, district, tehsil }).flatMap(([name, value]) =>
    value === undefined ? [`--${name}`] : [],
  );
  if (missing.length === 3) return undefined;
  throw new ConfigError(
    `${missing.join(', ')}: missing; a tehsil is named by its state, district and tehsil together.`,
  );
}
