import type { Config, ConfigOverrides, Environment, SettingsRead } from './config/read-config.ts';

/** Arguments and environment of a sub-command. */
export interface CommandCall {
  readonly args: readonly string[];
  /** Reads and validates the environment; `variables` replace variables of the process. Throws `ConfigError`. */
  readonly config: (overrides?: ConfigOverrides, variables?: Environment) => Config;
  /** Reads the environment and returns its faults instead of throwing them. */
  readonly settings: () => SettingsRead;
  /** Value of `SERVICE_API_BASE`, for commands that do not read the configuration. */
  readonly service: string | undefined;
  /** Prints a warning for each variable of the environment that looks misspelt. */
  readonly warnOfMisspelt: (print: (line: string) => void) => void;
}

/** Name and options of a sub-command, for its usage. */
export interface CommandSyntax {
  readonly name: string;
  /** Options as text; one item for each form of the command. */
  readonly options: readonly string[];
}

/** Sub-command of `headwater`. */
export interface Command extends CommandSyntax {
  /** Summary in one line. */
  readonly help: string;
  readonly details?: readonly string[];
  /** Runs the command. A thrown `ConfigError` sets the exit code 2, any other error 1. */
  readonly run: (call: CommandCall) => Promise<void>;
}

/** `usage: headwater NAME OPTIONS`, one line for each form of the command. */
export function usageOf({ name, options }: CommandSyntax): string {
  return options.map((each, i) => `${i === 0 ? 'usage:' : '      '} headwater ${name} ${each}`.trimEnd()).join('\n');
}
