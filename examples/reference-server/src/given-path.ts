import { resolve } from 'node:path';

/**
 * A path that a person typed, seen from the folder in which it was typed. The command itself runs in the checkout, where `.env` and DATA_DIR
 * are; npm and `bin/headwater.mjs` tell the caller's folder as INIT_CWD.
 */
export function givenPath(text: string, env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['INIT_CWD'] ?? '', text);
}
