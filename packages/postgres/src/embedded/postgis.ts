import type { Extension, PGliteInterface } from '@electric-sql/pglite';
import { postgis as wholePostgis } from '@electric-sql/pglite-postgis';
import { readArchive } from './archive.ts';
import { SharedPglite } from './shared-pglite.ts';

/** The library, and what tells PostgreSQL that PostGIS could be added. */
const ALWAYS = /^(lib\/postgresql\/postgis-\d+\.so|share\/postgresql\/extension\/postgis\.control)$/;
/** What `create extension postgis` runs: needed once in the life of a database. */
const SCRIPTS = /^share\/postgresql\/extension\/postgis--\d+(\.\d+)+\.sql$/;

/** Where PGlite keeps its installation in its file system in memory. */
const ROOT = '/pglite';

/** What is used of Emscripten's file system; the package declares it by types that it does not bring. */
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
 * PostGIS in 17 MB of memory instead of 100: PGlite would keep the whole package, and compile rasters and topology too.
 * PROJ's database is left out as well, for no statement of the stores transforms coordinates.
 */
export const postgis: Extension = {
  name: 'postgis',
  async setup(database, options) {
    const { bundlePath: archive, emscriptenOpts } = await wholePostgis.setup(database, options);
    if (archive === undefined) throw new Error('the package of PostGIS names no archive of its files');
    const files = await readArchive(archive, (name) => ALWAYS.test(name));
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
  // Compiled before the database starts; PostgreSQL only looks whether a file of that name is there.
  const [canRead, canWrite, dontCreateFile] = [true, true, true];
  const flags = [canRead, canWrite, undefined, undefined, dontCreateFile];
  files.createPreloadedFile(folder, name.slice(name.lastIndexOf('/') + 1), data, ...flags);
  files.writeFile(path, new Uint8Array(0));
}

/** Adds PostGIS to a database that does not have it yet; its 7.5 MB of SQL are gone from memory afterwards. */
async function createExtension(database: PGliteInterface, files: FileSystem, archive: URL): Promise<void> {
  const known = await database.query(`select from pg_extension where extname = 'postgis'`);
  if (known.rows.length > 0) return;
  const scripts = await readArchive(archive, (name) => SCRIPTS.test(name));
  for (const [name, data] of scripts) files.writeFile(`${ROOT}/${name}`, data);
  await database.exec('create extension postgis');
  for (const name of scripts.keys()) files.unlink(`${ROOT}/${name}`);
}

/** With PostgreSQL's own 128 MB the memory fills as tables are read; what is not in it is in the kernel's cache of files. */
const MEMORY = ['-c', 'shared_buffers=16MB'];
/** Segments of the write-ahead log, of which some are always kept, in 1 MB instead of 16 MB each. */
const NEW = ['--wal-segsize=1', '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=4MB'];

/** Opens the database in a folder, with PostGIS in it; makes its files where the folder is empty. */
export async function openPglite(folder: string): Promise<SharedPglite> {
  return SharedPglite.open(folder, {
    extensions: { postgis },
    startParams: [...SharedPglite.defaultStartParams, ...MEMORY],
    initDbStartParams: NEW,
  });
}
