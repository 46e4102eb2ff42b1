import { readFile, readdir } from 'node:fs/promises';

/** One numbered SQL file. */
export interface Migration {
  readonly revision: number;
  readonly name: string;
  readonly sql: string;
}

/** Folder of the numbered SQL files, next to `src` and `dist`. */
const FOLDER = new URL('../migrations/', import.meta.url);

/** Reads the migrations of this version in ascending order. Throws if the numbers have a gap. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return await Promise.all(
    names.map(async (name, index) => {
      const revision = Number(name.slice(0, 4));
      if (revision !== index + 1)
        throw new Error(`${name}: expected migration number ${index + 1}; the numbers must have no gap`);
      return { revision, name, sql: await readFile(new URL(name, FOLDER), 'utf8') };
    }),
  );
}
