// Embedded databases that are made once for these sources and copied by each test that needs one: making takes 16 s of a processor, a copy 1 s.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { madeOnce } from './made-once.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const POSTGRES = join(ROOT, 'packages', 'postgres');
const TEMPLATES = join(ROOT, 'node_modules', '.cache', 'headwater-databases');

/** Puts a database into a folder for `openEmbedded`, which has none yet: `migrated`, or `new` with PostGIS alone. */
export function copyDatabase(dataDir, kind = 'migrated') {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const copied = { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE };
  cpSync(join(templates(), kind, 'pgdata'), join(dataDir, 'pgdata'), copied);
}

const templates = () => madeOnce(TEMPLATES, digest(), makeTemplates);

function makeTemplates(draft) {
  const module = (path) => JSON.stringify(pathToFileURL(join(POSTGRES, 'src', path)).href);
  const code = `
    import { cpSync, mkdirSync } from 'node:fs';
    import { ensureFiles } from ${module('embedded/make-files.ts')};
    import { openEmbedded } from ${module('embedded/open.ts')};
    import { openDatabase } from ${module('database.ts')};
    import { migrate } from ${module('migrate.ts')};
    const [made, migrated] = ['new', 'migrated'].map((kind) => process.argv[1] + '/' + kind);
    mkdirSync(made, { recursive: true });
    await ensureFiles(made + '/pgdata');
    cpSync(made, migrated, { recursive: true });
    const embedded = await openEmbedded({ dataDir: migrated });
    const database = openDatabase(embedded.connection);
    await migrate(database);
    await database.close();
    await embedded.close();`;
  execFileSync(process.execPath, ['--conditions=@headwater/source', '--input-type=module', '-e', code, draft], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** All that a new database follows from: the code that makes it, the migrations, and the versions of the engine. */
function digest() {
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
