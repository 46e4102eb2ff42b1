import type { Extension, PGliteInterface } from '@electric-sql/pglite';
import { pg_freespacemap } from '@electric-sql/pglite/contrib/pg_freespacemap';
import { postgis as wholePostgis } from '@electric-sql/pglite-postgis';
import { readArchive } from './archive.ts';
import { SharedPglite } from './shared-pglite.ts';

/** The library, which is the first file of the archive. */
const LIBRARY = /^lib\/postgresql\/postgis-\d+\.so$/;
/** The control file and the script of `create extension postgis`; they are needed only when a database is created. */
const SCRIPTS = /^share\/postgresql\/extension\/postgis(\.control|--\d+(\.\d+)+\.sql)$/;

/** Folder of PGlite's installation in its in-memory file system. */
const ROOT = '/pglite';

/**
 * The part of Emscripten's file system that this module uses. It is declared here, because PGlite's package refers to types of
 * Emscripten that the package does not include.
 */
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
 * PostGIS in 17 MB of memory instead of the 100 MB of PGlite's own extension. PGlite's extension holds the whole
 * package in memory, and also compiles the parts for rasters and topology. The extension of this file loads only the
 * main library. The database of PROJ is omitted too, because no statement of the stores transforms coordinates.
 */
export const postgis: Extension = {
  name: 'postgis',
  async setup(database, options) {
    const { bundlePath: archive, emscriptenOpts } = await wholePostgis.setup(database, options);
    if (archive === undefined) throw new Error('the package of PostGIS does not name the archive of its files');
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
  // PGlite compiles the library before the database starts. Afterwards PostgreSQL needs only an empty file with the
  // name of the library, so the content of the file is dropped.
  const [canRead, canWrite, dontCreateFile] = [true, true, true];
  const flags = [canRead, canWrite, undefined, undefined, dontCreateFile];
  files.createPreloadedFile(folder, name.slice(name.lastIndexOf('/') + 1), data, ...flags);
  files.writeFile(path, new Uint8Array(0));
}

/** Adds PostGIS to a database without PostGIS, and then frees the 7.5 MB of its SQL script. */
async function createExtension(database: PGliteInterface, files: FileSystem, archive: URL): Promise<void> {
  const known = await database.query(`select from pg_extension where extname = 'postgis'`);
  if (known.rows.length > 0) return;
  const scripts = await readArchive(archive, (name) => SCRIPTS.test(name));
  for (const [name, data] of scripts) files.writeFile(`${ROOT}/${name}`, data);
  await database.exec('create extension postgis');
  for (const name of scripts.keys()) files.unlink(`${ROOT}/${name}`);
}

/**
 * Options that limit the shared buffers, because PostgreSQL's default of 128 MB would fill while tables are read. Small buffers
 * cost little time: pages that are not in the buffers are usually in the kernel's file cache.
 */
const MEMORY = ['-c', 'shared_buffers=16MB'];
/**
 * Options of a new database. Segments of the write-ahead log have 1 MB instead of 16 MB, because some segments always occupy space on the
 * disk.
 */
const NEW = ['--wal-segsize=1', '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=4MB'];

/** Opens the database in a folder, with PostGIS; creates its files if the folder is empty. */
export async function openPglite(folder: string): Promise<SharedPglite> {
  return SharedPglite.open(folder, {
    extensions: { postgis, pg_freespacemap },
    startParams: [...SharedPglite.defaultStartParams, ...MEMORY],
    initDbStartParams: NEW,
  });
}
