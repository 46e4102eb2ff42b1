import { messageOf } from '@headwater/core';
import { type CommandSyntax, usageOf } from '../command.ts';
import { ConfigError } from '../config/config-error.ts';
import { callerPath } from '../read-arguments.ts';

/** Parameters by their wire names: texts from the command line, or values from a JSON file. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Source of parameters that are not on the command line: standard input, or the absolute path of a file. */
export type ParameterSource = { readonly kind: 'stdin' } | { readonly kind: 'file'; readonly path: string };

/** Options of `headwater run-algorithm`. */
export type RunOptions =
  | {
      readonly kind: 'list';
      /** True if the output is JSON even on a terminal. */
      readonly isJson: boolean;
    }
  | {
      readonly kind: 'run';
      readonly name: string;
      readonly parameters: Parameters;
      readonly source: ParameterSource | undefined;
      /** Address of the service to which the result is posted, if it is on the command line. */
      readonly post: string | undefined;
      /** True if the operator asserts the right to compute a tehsil's layers without a run of the service. */
      readonly asSuperuser: boolean;
    };

/** Name of the option `asSuperuser`. It is not a parameter, so senders of parameters cannot set it. */
export const AS_SUPERUSER = '--as-superuser';

/** Syntax of `headwater run-algorithm`. */
export const RUN_ALGORITHM: CommandSyntax = {
  name: 'run-algorithm',
  options: [`NAME [--PARAMETER VALUE]... [--parameters FILE|-] [--post URL] [${AS_SUPERUSER}]`, '--list [--json]'],
};
const USAGE = usageOf(RUN_ALGORITHM);

/** Parses the arguments. Throws `ConfigError` with the wrong argument. */
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
  text === '-' ? { kind: 'stdin' } : { kind: 'file', path: callerPath(text) };

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
      throw new ConfigError(`${JSON.stringify(args[at])}: is not a parameter; write --name value.\n${USAGE}`);
    if (pairs.has(name)) throw new ConfigError(`--${name}: occurs twice; write it once.`);
    const value = inline ?? args[++at];
    if (value === undefined) throw new ConfigError(`--${name}: has no value; write --${name} value.`);
    pairs.set(name, value);
  }
  return { pairs, asSuperuser };
}

/** Parses a JSON object. Throws `ConfigError` for anything else. */
export function parametersOf(text: string): Parameters {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`--parameters: the input is not JSON: ${messageOf(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigError('--parameters: the input is not a JSON object; write {"name": value, ...}.');
  // Some programs send null for an absent parameter.
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}
