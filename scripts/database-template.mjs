// Embedded databases for tests. Each database is created once for the current sources, and each test copies it.
// Creating takes 16 s of processor time; copying takes 1 s.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedFolder } from './cached-folder.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const POSTGRES = join(ROOT, 'packages', 'postgres');
const TEMPLATES = join(ROOT, 'node_modules', '.cache', 'headwater-databases');

/**
 * Puts a database for `openEmbedded` into a folder without a database. The database is `migrated` (default) or `new`. A
 * `new` database has PostGIS and no tables.
 */
export function copyDatabase(dataDir, kind = 'migrated') {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const copied = { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE };
  cpSync(join(templates(), kind, 'pgdata'), join(dataDir, 'pgdata'), copied);
}

const templates = () => cachedFolder(TEMPLATES, databaseDigest(), makeTemplates);

function makeTemplates(draft) {
  const module = (path) => JSON.stringify(pathToFileURL(join(POSTGRES, 'src', path)).href);
  const code = `
    import { cpSync, mkdirSync } from 'node:fs';
    import { ensureFiles } from ${module('embedded/make-files.ts')};
    import { openEmbedded } from ${module('embedded/open.ts')};
    import { openDatabase } from ${module('database.ts')};
    import { migrate } from ${module('migrate.ts')};
    const [fresh, migrated] = ['new', 'migrated'].map((kind) => process.argv[1] + '/' + kind);
    mkdirSync(fresh, { recursive: true });
    await ensureFiles(fresh + '/pgdata');
    cpSync(fresh, migrated, { recursive: true });
    const embedded = await openEmbedded({ dataDir: migrated });
    const database = openDatabase(embedded.connection);
    await migrate(database);
    await database.close();
    await embedded.close();`;
  execFileSync(process.execPath, ['--conditions=@headwater/source', '--input-type=module', '-e', code, draft], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/**
 * Digest of everything that determines a new database: the code that creates it, the migrations, and the versions of
 * the database engine.
 */
export function databaseDigest() {
  const hash = createHash('sha256');
  const files = ['migrations', 'src', 'src/embedded'].flatMap((folder) =>
    readdirSync(join(POSTGRES, folder))
      .filter((name) => /\.(sql|ts)$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => join(POSTGRES, folder, name)),
  );
  const engines = ['pglite', 'pglite-postgis'].map((name) =>
    join(ROOT, 'node_modules', '@electric-sql', name, 'package.json'),
  );
  for (const file of [...files.sort((a, b) => a.localeCompare(b)), ...engines])
    hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
