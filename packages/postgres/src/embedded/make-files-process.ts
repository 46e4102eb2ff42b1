// Creates the files of a new database in the folder that the first argument names. This is a separate process, because creating a database
// takes four times the memory of serving a database. A thread would not return its memory to the system when it ends.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cacheLongKeys } from './long-keys.ts';
import { openPglite } from './postgis.ts';

// If the parent process dies, this process must end without creating files, because no process would use them. A death
// of the parent process during the imports is reported in the next turn of the event loop. So this process waits for
// that turn before it creates files.
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
