import { resolve } from 'node:path';

let caller = '';

/** Says once, when the process starts, from which folder it was called; npm and `bin/headwater.mjs` tell that as INIT_CWD. */
export function callFrom(folder: string | undefined): void {
  caller = folder ?? '';
}

/** A path that a person typed, seen from the folder in which it was typed: the command itself runs in the checkout, where `.env` and DATA_DIR are. */
export function givenPath(text: string): string {
  return resolve(caller, text);
}
