import type { Extension, PGliteInterface } from '@electric-sql/pglite';
import { pg_freespacemap } from '@electric-sql/pglite/contrib/pg_freespacemap';
import { postgis as wholePostgis } from '@electric-sql/pglite-postgis';
import { readArchive } from './archive.ts';
import { SharedPglite } from './shared-pglite.ts';

const LIBRARY = /^lib\/postgresql\/postgis-\d+\.so$/;
const SCRIPTS = /^share\/postgresql\/extension\/postgis(\.control|--\d+(\.\d+)+\.sql)$/;

const ROOT = '/pglite';

/** PGlite's package does not include these types of Emscripten. */
interface FileSystem {
  mkdirTree(path: string): void;
  writeFile(path: string, data: Uint8Array): void;
  unlink(path: string): void;
  createPreloadedFile(folder: string, name: string, data: Uint8Array, ...flags: readonly unknown[]): void;
}

interface Module {
  readonly FS: FileSystem;
}

/**
 * PostGIS in 17 MB of memory instead of the 100 MB of PGlite's own extension: the main library without rasters,
 * topology and PROJ's database.
 */
export const postgis: Extension = {
  name: 'postgis',
  async setup(database, options) {
    const { bundlePath: archive, emscriptenOpts } = await wholePostgis.setup(database, options);
    if (archive === undefined)
      throw new Error('the package of PostGIS for PGlite has no path of its archive (bundlePath)');
    const files = await readArchive(archive, (name) => LIBRARY.test(name), 1);
    let module: Module | undefined;
    emscriptenOpts.preRun.push((started: Module) => {
      module = started;
      for (const [name, data] of files) addFile(started.FS, name, data);
      files.clear();
    });
    const init = async (): Promise<void> => {
      if (module !== undefined) await createExtension(database, module.FS, archive);
    };
    return { emscriptenOpts, init };
  },
};

function addFile(files: FileSystem, name: string, data: Uint8Array): void {
  const path = `${ROOT}/${name}`;
  const folder = path.slice(0, path.lastIndexOf('/'));
  files.mkdirTree(folder);
  if (!name.endsWith('.so')) {
    files.writeFile(path, data);
    return;
  }
  // `createPreloadedFile` compiles the library, so PostgreSQL needs only an empty file with this name.
  const [canRead, canWrite, dontCreateFile] = [true, true, true];
  const flags = [canRead, canWrite, undefined, undefined, dontCreateFile];
  files.createPreloadedFile(folder, name.slice(name.lastIndexOf('/') + 1), data, ...flags);
  files.writeFile(path, new Uint8Array(0));
}

/** Creates the extension if it is missing, and then frees the SQL script (7.5 MB). */
async function createExtension(database: PGliteInterface, files: FileSystem, archive: URL): Promise<void> {
  const known = await database.query(`select from pg_extension where extname = 'postgis'`);
  if (known.rows.length > 0) return;
  const scripts = await readArchive(archive, (name) => SCRIPTS.test(name));
  for (const [name, data] of scripts) files.writeFile(`${ROOT}/${name}`, data);
  await database.exec('create extension postgis');
  for (const name of scripts.keys()) files.unlink(`${ROOT}/${name}`);
}

/** Memory of the page cache. PostgreSQL's default of 128 MB is not needed, because the kernel caches the files. */
const MEMORY = ['-c', 'shared_buffers=16MB'];
/** Settings of a new database. Segments of the write-ahead log are small, because some always occupy disk space. */
const NEW = ['--wal-segsize=1', '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=4MB'];

/** Opens the database in a folder, with PostGIS; creates its files if the folder is empty. */
export async function openPglite(folder: string): Promise<SharedPglite> {
  return SharedPglite.open(folder, {
    extensions: { postgis, pg_freespacemap },
    startParams: [...SharedPglite.defaultStartParams, ...MEMORY],
    initDbStartParams: NEW,
  });
}
