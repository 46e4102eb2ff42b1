import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = '.headwater-folder';

/** Path of the file with a folder's id. */
export const folderIdFile = (folder: string): string => join(folder, NAME);

/** Reads the id of a folder; undefined if it has none. */
export async function readFolderId(folder: string): Promise<string | undefined> {
  const text = await readFile(folderIdFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  return text.trim() === '' ? undefined : text.trim();
}

/** Writes an id into a folder that has none. Creates the folder if it is missing. */
export async function writeFolderId(folder: string, id: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = await open(folderIdFile(folder), 'w', 0o644);
  try {
    await file.writeFile(`${id}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns the id of a folder; creates the id if it is missing. Only one process at a time may call this function. */
export async function folderId(folder: string): Promise<string> {
  const known = await readFolderId(folder);
  if (known !== undefined) return known;
  const id = randomUUID();
  await writeFolderId(folder, id);
  return id;
}
