import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedAddresses } from '@headwater/http-service';
import { multihash } from '@headwater/stac';
import { copyOut, type Database } from '@headwater/postgres';
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

/** Key of a published file, and its bytes. */
export const RASTER = 'run1/1/map.tif';
export const BYTES = Buffer.from('pixels of the map');
/** Text with characters that end a line in some programs, a backslash and quotation marks. */
export const NAME = 'a\u2028b\u2029c\\n"d"';

/** Stores a user, the id of the installation with its signing key, and an Item that names the published file. */
export async function fillDatabase(database: Database): Promise<void> {
  await database.run(
    `insert into headwater.users (username, username_key, email, first_name, last_name, is_active, is_superuser, password_hash, may_compute)
      values ('asha', 'asha', '', $1, '', true, true, 'x', true)`,
    [NAME],
  );
  await database.run(
    `insert into headwater.installation (name, value) values ('signing key', 'the shared key'), ('backup id', 'the id')`,
  );
  const href = storedAddresses().file(RASTER);
  const checksum = multihash(createHash('sha256').update(BYTES).digest('hex'));
  const content = JSON.stringify({ id: 'i', assets: { data: { href, 'file:checksum': checksum } } });
  await database.run(
    `insert into headwater.items (collection_path, id, version, run_id, position, content) values ('a/b/c', 'i', 3, 'r', 0, $1)`,
    [content],
  );
}
