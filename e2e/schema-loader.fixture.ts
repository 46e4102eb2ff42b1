import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { shared } from '../scripts/peers.mjs';

const FOLDER = resolve(shared, 'data', 'stac-schemas');

/** Returns a function that loads the official schemas of STAC from files instead of the network. */
export async function schemaLoader(): Promise<(uri: string) => Promise<unknown>> {
  const index = JSON.parse(await readFile(join(FOLDER, 'index.json'), 'utf8')) as Record<string, { file: string }>;
  return async (uri) => {
    const [address = ''] = uri.split('#');
    const entry = index[address];
    if (entry === undefined) throw new Error(`no schema file for ${uri}`);
    return JSON.parse(await readFile(join(FOLDER, entry.file), 'utf8')) as unknown;
  };
}
