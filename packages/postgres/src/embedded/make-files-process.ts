// Creates the files of a new database in the folder of the command line. It is a separate process because creating takes four times
// the memory of serving, and the memory of a thread is not returned to the system when it ends.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cacheLongKeys } from './long-keys.ts';
import { openPglite } from './postgis.ts';

// If the parent process dies, nothing uses the files. A disconnect during the imports is reported in the next event-loop turn, so wait for it
// before creating a folder that the next start would have to remove.
process.on('disconnect', () => process.exit(1));
await nextTurn();

cacheLongKeys(Object);
try {
  const database = await openPglite(process.argv[2] ?? '');
  await database.close();
  process.exit(0);
} catch (error) {
  process.send?.(error instanceof Error ? error.message : String(error), () => process.exit(1));
}
