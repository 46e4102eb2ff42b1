import type { Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isObject } from '@headwater/stac';
import { READ_LIMITS } from '../reading/limits.ts';
import { parseJson, textOf } from '../reading/parse-document.ts';
import { ReadError } from '../reading/read-error.ts';
import { readFileBytes } from '../reading/read-file.ts';
import { isLaidOut } from './layout.ts';

/**
 * Names what at `path` is no part of an exported folder, so that replacing an export never takes what somebody else put there. Undefined
 * for an empty folder, and for one whose root is a catalogue and whose files all lie where the layout puts them.
 */
export async function foreignAt(path: string, found: Stats): Promise<string | undefined> {
  if (!found.isDirectory()) return `${path} is no folder, which the export would be`;
  if ((await readdir(path)).length === 0) return undefined;
  const root = join(path, 'catalog.json');
  if (!(await isCatalogue(root))) return `${path} is no exported catalogue: there is no Catalog at ${root}`;
  return foreignIn(path, true);
}

async function foreignIn(folder: string, isTop: boolean): Promise<string | undefined> {
  // The name of the outermost folder is the caller's choice, so that no file there is named by it.
  const name = isTop ? 'catalog' : basename(folder);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() && !(entry.isFile() && isLaidOut(name, entry.name)))
      return `${path} is no part of an exported catalogue`;
    const foreign = entry.isDirectory() ? await foreignIn(path, false) : undefined;
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

async function isCatalogue(path: string): Promise<boolean> {
  try {
    const bytes = await readFileBytes(path, READ_LIMITS);
    const document = bytes === undefined ? undefined : parseJson(textOf(bytes));
    return isObject(document) && (document['type'] === 'Catalog' || document['type'] === 'Collection');
  } catch (error) {
    if (error instanceof ReadError) return false;
    throw error;
  }
}
