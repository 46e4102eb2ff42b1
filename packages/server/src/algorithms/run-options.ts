import { messageOf } from '@headwater/core';
import { type CommandSyntax, usageOf } from '../command.ts';
import { ConfigError } from '../config/config-error.ts';
import { givenPath } from '../given-path.ts';

/** Parameters by their names on the wire: texts of the command line, or what a JSON file has. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Where the parameters are that do not stand in the command line: standard input, or the absolute path of a file. */
export type ParameterSource = { readonly kind: 'stdin' } | { readonly kind: 'file'; readonly path: string };

/** What `headwater run-algorithm` was told. */
export type RunOptions =
  | {
      readonly kind: 'list';
      /** For programs, whoever reads along. */
      readonly isJson: boolean;
    }
  | {
      readonly kind: 'run';
      readonly name: string;
      readonly parameters: Parameters;
      readonly source: ParameterSource | undefined;
      /** Address of the service that the result is posted to; undefined = none was named. */
      readonly post: string | undefined;
      /** Whoever writes the command line answers for a tehsil's layers that no run of the service asked for. */
      readonly asSuperuser: boolean;
    };

/** No parameter, so that nobody who sends parameters can set it. */
export const AS_SUPERUSER = '--as-superuser';

/** Syntax of `headwater run-algorithm`. */
export const RUN_ALGORITHM: CommandSyntax = {
  name: 'run-algorithm',
  options: [`NAME [--PARAMETER VALUE]... [--parameters FILE|-] [--post URL] [${AS_SUPERUSER}]`, '--list [--json]'],
};
const USAGE = usageOf(RUN_ALGORITHM);

/** Reads the arguments. Throws `ConfigError` that names the one that is wrong. */
export function readRunOptions(args: readonly string[]): RunOptions {
  const [name, ...rest] = args;
  if (name === '--list' && rest.every((each) => each === '--json') && rest.length <= 1)
    return { kind: 'list', isJson: rest.length === 1 };
  if (name === undefined || name.startsWith('-'))
    throw new ConfigError(`NAME: missing; name the algorithm to run.\n${USAGE}`);
  const { pairs, asSuperuser } = pairsOf(rest);
  const { parameters: file, post, ...parameters } = Object.fromEntries(pairs);
  const source = file === undefined ? undefined : sourceOf(file);
  return { kind: 'run', name, parameters, source, post, asSuperuser };
}

const sourceOf = (text: string): ParameterSource =>
  text === '-' ? { kind: 'stdin' } : { kind: 'file', path: givenPath(text) };

function pairsOf(args: readonly string[]) {
  const pairs = new Map<string, string>();
  let asSuperuser = false;
  for (let at = 0; at < args.length; at++) {
    if (args[at] === AS_SUPERUSER) {
      asSuperuser = true;
      continue;
    }
    const [, name, inline] = /^--([A-Za-z_]\w*)(?:=(.*))?$/s.exec(args[at] ?? '') ?? [];
    if (name === undefined)
      throw new ConfigError(`${JSON.stringify(args[at])}: is no parameter; write --name value.\n${USAGE}`);
    if (pairs.has(name)) throw new ConfigError(`--${name}: is given twice; give it once.`);
    const value = inline ?? args[++at];
    if (value === undefined) throw new ConfigError(`--${name}: has no value; write --${name} value.`);
    pairs.set(name, value);
  }
  return { pairs, asSuperuser };
}

/** The members of a JSON object in a text. Throws `ConfigError` for anything else. */
export function parametersOf(text: string): Parameters {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`--parameters: what it names is no JSON: ${messageOf(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigError('--parameters: what it names is no JSON object; write {"name": value, ...}.');
  // Null is how programs say that a parameter is not given.
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}
