import { isProfile, type Profile, PROFILES } from '@headwater/stac';
import { parseArgs } from 'node:util';
import { FORMATS } from '../export/export-tree.ts';
import { messageOf } from '../errors.ts';

/** Help text of the program. */
export const USAGE = `usage: headwater-stac validate PATH|URL... [--profile ${PROFILES.join('|')}] [--json] [--strict] [--quiet] [--most-minutes N]
       headwater-stac lint PATH|URL [--check-assets] [--validate [--profile ${PROFILES.join('|')}]] [--any-file] [--json] [--strict] [--quiet] [--most-documents N] [--most-minutes N]
       headwater-stac export PATH|URL --format ${FORMATS.join('|')} --out DIR|FILE [--replace] [--no-level] [--any-file] [--quiet] [--most-documents N] [--most-minutes N]
       headwater-stac --help

validate  checks each document by itself: a file (one document, or a FeatureCollection of Items), a folder, an .ndjson file or an address; requests only this address, not its links
lint      checks a whole tree from its root: links, parents, extents, cycles, orphans; --check-assets also requests each asset
export    writes a whole tree as static files, as ndjson (one Item a line), or as stac-geoparquet

--profile stac       rules for STAC of any producer (default): the official schemas of core and the known extensions, and GeoJSON
--profile headwater  rules of Headwater's own documents: the rules of stac, and further rules on ids, titles, links, http(s) data assets and columns
--any-file           allows a tree of files to link to files outside of its root's folder
--json               writes the report as one JSON object
--strict             counts warnings as errors
--quiet              shows no progress
--replace            replaces a former export
--no-level           puts the children of the root directly below it, without the level tehsil_wise
--most-documents N   limits the documents that are read (default 100000)
--most-minutes N     limits the time of the command (default 60)

Exit codes: 0 all documents conform, 1 errors (with --strict also warnings), 2 wrong usage, a read or write error, or no document found.
`;

/** Thrown for wrong arguments. The message contains the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const FLAGS = {
  json: { type: 'boolean' },
  strict: { type: 'boolean' },
  quiet: { type: 'boolean' },
  'check-assets': { type: 'boolean' },
  validate: { type: 'boolean' },
  replace: { type: 'boolean' },
  'no-level': { type: 'boolean' },
  'any-file': { type: 'boolean' },
} as const;
const TEXTS = {
  format: { type: 'string' },
  out: { type: 'string' },
  profile: { type: 'string' },
  'most-documents': { type: 'string' },
  'most-minutes': { type: 'string' },
} as const;
/** Options that limit documents and time. */
export const BOUNDS = ['most-documents', 'most-minutes'] as const;
const OPTIONS = { ...FLAGS, ...TEXTS };
type Name = keyof typeof OPTIONS;

/** Parsed arguments of a command. */
export interface Arguments {
  readonly sources: readonly string[];
  /** Flags of the command line. */
  readonly flags: ReadonlySet<keyof typeof FLAGS>;
  readonly texts: Readonly<Partial<Record<keyof typeof TEXTS, string>>>;
}

/** Parses the arguments of a command. Throws `UsageError`. */
export function readArguments(args: readonly string[], allowed: readonly Name[]): Arguments {
  const options = Object.fromEntries(allowed.map((name) => [name, OPTIONS[name]]));
  const { values, positionals } = parse(args, options);
  const flags = new Set<keyof typeof FLAGS>();
  const texts: Partial<Record<keyof typeof TEXTS, string>> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === true && isFlag(name)) flags.add(name);
    if (typeof value === 'string' && isTextOption(name)) texts[name] = value;
  }
  if (positionals.length === 0)
    throw new UsageError('PATH|URL: the input is missing; name a file, a folder or an address');
  return { sources: positionals, flags, texts };
}

/** Returns the only source. Throws `UsageError` if there are several. */
export function oneSource({ sources }: Arguments): string {
  const [source = '', ...others] = sources;
  if (others.length > 0) throw new UsageError(`${others.join(' ')}: give one PATH|URL at a time`);
  return source;
}

/** Validation profile, by default `stac`. Throws `UsageError` for an unknown profile. */
export function profileOf({ texts: { profile = PROFILES[0] } }: Arguments): Profile {
  if (isProfile(profile)) return profile;
  throw new UsageError(`--profile ${profile}: give one of ${PROFILES.join(', ')}`);
}

/** A count above 0; undefined if absent. Throws `UsageError` for other text. */
export function countOf({ texts }: Arguments, name: (typeof BOUNDS)[number]): number | undefined {
  const text = texts[name];
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} ${text}: give a whole number from 1 to 999999999`);
  return Number(text);
}

function parse(args: readonly string[], options: Partial<typeof OPTIONS>) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

const isFlag = (name: string): name is keyof typeof FLAGS => Object.hasOwn(FLAGS, name);
const isTextOption = (name: string): name is keyof typeof TEXTS => Object.hasOwn(TEXTS, name);
