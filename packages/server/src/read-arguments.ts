import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '@headwater/core';
import { resolve } from 'node:path';
import { ConfigError } from './config/config-error.ts';

/** Parses arguments with Node's `parseArgs`. Throws `ConfigError` with the reason and the usage. */
export function readArguments<T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new ConfigError(`${messageOf(error)}\n${usage}`);
  }
}

let caller = '';

/** Sets the caller's folder (INIT_CWD of npm and `bin/headwater.mjs`). */
export function callFrom(folder: string | undefined): void {
  caller = folder ?? '';
}

/**
 * Resolves a path relative to the caller's folder. In a checkout, the working folder may be another folder: the
 * repository's root.
 */
export function callerPath(text: string): string {
  return resolve(caller, text);
}
