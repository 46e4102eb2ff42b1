import { resolve } from 'node:path';

let caller = '';

/** Sets the folder from which the process was called; npm and `bin/headwater.mjs` provide it as INIT_CWD. */
export function callFrom(folder: string | undefined): void {
  caller = folder ?? '';
}

/** Resolves a path of a command line in the caller's folder: the command itself runs in the checkout, where `.env` and DATA_DIR are. */
export function callerPath(text: string): string {
  return resolve(caller, text);
}
