// Embedded databases for tests. To create a database takes 16 s of processor time, but to copy it 1 s.
import { constants, cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { preparedFolder } from './prepared-folder.mjs';

const SOURCES = resolve(import.meta.dirname, '..', 'packages', 'postgres', 'src');

/**
 * Copies a database for `openEmbedded` into a folder without a database. `migrated` (default): with tables; `new`: only
 * with PostGIS.
 */
export async function copyDatabase(dataDir, kind = 'migrated') {
  const templates = await preparedFolder('headwater-databases', import.meta.filename, ['postgres']);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const copied = { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE };
  cpSync(join(templates, kind, 'pgdata'), join(dataDir, 'pgdata'), copied);
}

const source = (path) => import(pathToFileURL(join(SOURCES, path)).href);

/** Creates both databases in a draft folder. */
export async function fill(draft) {
  const [{ ensureFiles }, { openEmbedded }, { openDatabase }, { migrate }] = await Promise.all(
    ['embedded/make-files.ts', 'embedded/open.ts', 'database.ts', 'migrate.ts'].map(source),
  );
  const [fresh, migrated] = [join(draft, 'new'), join(draft, 'migrated')];
  mkdirSync(fresh);
  await ensureFiles(join(fresh, 'pgdata'));
  cpSync(fresh, migrated, { recursive: true });
  const embedded = await openEmbedded({ dataDir: migrated });
  const database = openDatabase(embedded.connection);
  await migrate(database);
  await database.close();
  await embedded.close();
}
