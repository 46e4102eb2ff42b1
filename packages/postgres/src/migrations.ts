import { readFile, readdir } from 'node:fs/promises';

/** One numbered SQL file. */
export interface Migration {
  readonly revision: number;
  readonly name: string;
  readonly sql: string;
}

/** Folder of the numbered SQL files: beside `src` and beside `dist`. */
const FOLDER = new URL('../migrations/', import.meta.url);

/** Reads the migrations of this version, ascending. Throws when two have one number. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return await Promise.all(
    names.map(async (name, index) => {
      const revision = Number(name.slice(0, 4));
      if (revision === Number(names[index - 1]?.slice(0, 4)))
        throw new Error(`${name}: another migration has this number; give it the next one`);
      return { revision, name, sql: await readFile(new URL(name, FOLDER), 'utf8') };
    }),
  );
}
