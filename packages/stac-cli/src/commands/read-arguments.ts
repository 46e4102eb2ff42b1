import { isProfile, type Profile, PROFILES } from '@headwater/stac';
import { parseArgs } from 'node:util';
import { FORMATS } from '../export/export-tree.ts';
import { messageOf } from '../reading/read-error.ts';

/** How the program is called. */
export const USAGE = `usage: headwater-stac validate PATH|URL... [--profile ${PROFILES.join('|')}] [--json] [--strict] [--quiet] [--most-minutes N]
       headwater-stac lint PATH|URL [--check-assets] [--validate [--profile ${PROFILES.join('|')}]] [--any-file] [--json] [--strict] [--quiet] [--most-documents N] [--most-minutes N]
       headwater-stac export PATH|URL --format ${FORMATS.join('|')} --out DIR|FILE [--replace] [--no-level] [--any-file] [--quiet] [--most-documents N] [--most-minutes N]
       headwater-stac --help

validate  every document of a file (one document, or a FeatureCollection of Items), a folder, an .ndjson file or an address; asks nothing of a network
lint      a whole tree from its root: links, parents, extents, cycles, orphans; --check-assets asks each asset's address too
export    a whole tree as static files, one Item a line, or stac-geoparquet

--profile stac       STAC of anybody (where none is named): the rules of the official schemas for core and the known extensions, and of GeoJSON
--profile headwater  what Headwater's own documents must be: also ids by place, titles, labelled links, fetchable data, described columns
--any-file           lets a tree of files name files outside of its root's folder.

Exit codes: 0 conforming, 1 faults (--strict: warnings too), 2 wrong usage, or something that cannot be read or holds no document.
`;

/** A call that cannot be done as it is; the message names the argument and the remedy. */
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
/** What bounds the reading of a tree. */
export const BOUNDS = ['most-documents', 'most-minutes'] as const;
const OPTIONS = { ...FLAGS, ...TEXTS };
type Name = keyof typeof OPTIONS;

/** What a command was told. */
export interface Arguments {
  readonly sources: readonly string[];
  /** The flags that were given. */
  readonly flags: ReadonlySet<keyof typeof FLAGS>;
  readonly texts: Readonly<Partial<Record<keyof typeof TEXTS, string>>>;
}

/** Reads the arguments of a command, which knows `allowed` of the options. Throws `UsageError`. */
export function readArguments(args: readonly string[], allowed: readonly Name[]): Arguments {
  const options = Object.fromEntries(allowed.map((name) => [name, OPTIONS[name]]));
  const { values, positionals } = parse(args, options);
  const flags = new Set<keyof typeof FLAGS>();
  const texts: Partial<Record<keyof typeof TEXTS, string>> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === true && isFlag(name)) flags.add(name);
    if (typeof value === 'string' && isTextOption(name)) texts[name] = value;
  }
  if (positionals.length === 0) throw new UsageError('PATH|URL: what is to be read is needed');
  return { sources: positionals, flags, texts };
}

/** The one source of a command that takes one. Throws `UsageError`. */
export function oneSource({ sources }: Arguments): string {
  const [source = '', ...others] = sources;
  if (others.length > 0) throw new UsageError(`${others.join(' ')}: give one PATH|URL at a time`);
  return source;
}

/** By whose rules documents are validated; `stac` unless one is named. Throws `UsageError`. */
export function profileOf({ texts: { profile = PROFILES[0] } }: Arguments): Profile {
  if (isProfile(profile)) return profile;
  throw new UsageError(`--profile ${profile}: give one of ${PROFILES.join(', ')}`);
}

/** A count above 0; undefined where none was given. Throws `UsageError`. */
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
