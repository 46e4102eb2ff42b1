import { resolve } from 'node:path';
import { shellWord } from '@headwater/http-service';
import type { Environment } from './read-config.ts';

/** Variables with which a command finds the data of a service. */
const OF_DATA = ['DATA_DIR', 'DB_HOST', 'DB_PORT', 'DB_NAME', 'DB_USER', 'DB_PASSWORD', 'DB_SSL', 'DB_SSL_CA'];
const OF_BOUNDARIES = ['BOUNDARY_DATA_URL', 'BOUNDARY_DATA_SHA256', 'BOUNDARY_DATA_KEEP'];
/** Commands that read no database, so that they need only DATA_DIR. */
const OF_FILES = /^(check-data|make-catalog)\b/;
/** Variables with paths. These are printed as absolute paths, because the command may be run in another folder. */
const PATHS = new Set(['DATA_DIR', 'DB_SSL_CA']);
/** Secret variables. The line contains a reference to the shell's variable instead of the value. */
const SECRETS = new Set(['DB_PASSWORD', 'BOUNDARY_DATA_URL']);

/**
 * Returns a shell command that runs `headwater` on the data of this service. The command sets those of its variables
 * that this process got from its shell. It does not set the variables of `.env`, because `headwater` reads that file.
 */
export function printedCommand(shell: Environment, args: string): string {
  const set = variablesOf(args).flatMap((name) => {
    const value = shell[name] ?? '';
    return value === '' ? [] : [`${name}=${wordOf(name, value)}`];
  });
  return [...set, 'npx headwater', args].join(' ');
}

function variablesOf(args: string): readonly string[] {
  if (OF_FILES.test(args)) return ['DATA_DIR'];
  return args.startsWith('download-boundaries') ? [...OF_DATA, ...OF_BOUNDARIES] : OF_DATA;
}

function wordOf(name: string, value: string): string {
  if (SECRETS.has(name)) return `"\${${name}:?set it first}"`;
  return shellWord(PATHS.has(name) ? resolve(value) : value);
}
