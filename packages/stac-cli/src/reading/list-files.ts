import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Endings of files that hold documents: one each, or one a line. */
const DOCUMENT = /\.(?:geo)?json$/i;
export const LINES = /\.(?:ndjson|jsonl|geojsonl)$/i;

/** Paths of the files in a folder and those below it that may hold documents, ascending. Hidden ones, `node_modules` and links are left out. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const open = [folder];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const below = join(path, entry.name);
      if (entry.isDirectory()) open.push(below);
      else if (entry.isFile() && (DOCUMENT.test(entry.name) || LINES.test(entry.name))) files.push(below);
    }
  }
  return files.sort();
}
