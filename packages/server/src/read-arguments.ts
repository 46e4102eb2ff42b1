import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '@headwater/core';
import { ConfigError } from './config/config-error.ts';

/** The arguments of a command, read by Node's `parseArgs`. Throws `ConfigError` that names the one that is wrong, with the usage below. */
export function readArguments<T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new ConfigError(`${messageOf(error)}\n${usage}`);
  }
}
