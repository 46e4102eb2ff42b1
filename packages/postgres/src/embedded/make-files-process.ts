// Creates the files of a new database in the folder that the first argument names.
// This is a separate process, because a thread would not return its memory to the system.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cacheLongKeys } from './long-keys.ts';
import { openPglite } from './postgis.ts';

// Waits one turn of the event loop for `disconnect`, because otherwise this process would work for a dead parent.
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
