import { postgis } from './postgis.ts';
import { SharedPglite } from './shared-pglite.ts';

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
