import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '@headwater/core';
import { resolve } from 'node:path';
import { ConfigError } from './config/config-error.ts';

/** Parses the arguments of a command with Node's `parseArgs`. Throws `ConfigError` with the wrong argument and the usage. */
export function readArguments<T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new ConfigError(`${messageOf(error)}\n${usage}`);
  }
}

let caller = '';

/** Sets the folder from which the process was called; npm and `bin/headwater.mjs` provide it as INIT_CWD. */
export function callFrom(folder: string | undefined): void {
  caller = folder ?? '';
}

/**
 * Resolves a path of a command line in the caller's folder. The working folder is not used, because in a checkout the command runs in
 * the root folder, where `.env` and DATA_DIR are.
 */
export function callerPath(text: string): string {
  return resolve(caller, text);
}
