import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '@headwater/core';
import { ConfigError } from './config/config-error.ts';

/** Parses the arguments of a command with Node's `parseArgs`. Throws `ConfigError` with the wrong argument and the usage. */
export function readArguments<T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new ConfigError(`${messageOf(error)}\n${usage}`);
  }
}
