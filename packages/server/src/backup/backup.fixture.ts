import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyOut, type Database, openDatabase } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { MANIFEST } from './manifest.ts';

/** Returns all rows of a database as texts, by table. */
export async function rowsOf(source: Database): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = new Map<string, readonly string[]>();
  await copyOut(source, async ({ name }, batches) => {
    const all: string[] = [];
    for await (const batch of batches) all.push(...batch);
    rows.set(name, all.toSorted());
  });
  return rows;
}

/** Returns the rows of the embedded database in a data folder. */
export async function rowsIn(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const embedded = await openEmbedded({ dataDir: join(folder, 'db') });
  const restored = openDatabase(embedded.connection);
  try {
    return await rowsOf(restored);
  } finally {
    await restored.close();
    await embedded.close();
  }
}

/** Parts of a manifest that tests change. */
export interface Edited {
  database: { revision: number; kind: string; tables: { rows: number; bytes: number }[] };
  files: { bytes: number }[];
}

/** Changes the manifest of a backup. */
export async function editManifest(backup: string, change: (manifest: Edited) => void) {
  const path = join(backup, MANIFEST);
  const manifest: Edited = JSON.parse(await readFile(path, 'utf8'));
  change(manifest);
  await writeFile(path, JSON.stringify(manifest));
}
