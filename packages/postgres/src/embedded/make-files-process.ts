// Makes the files of a new database in the folder that the command line names. A process of its own: making takes four times
// the memory of serving, and what a thread took is not given back to the system when it ends.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepLongKeys } from './long-keys.ts';
import { openPglite } from './postgis.ts';

// The parent died: the files would be nobody's. If it died while this was loaded, that is told in the next turn, and no folder is made
// beside those that the next start has tidied up.
process.on('disconnect', () => process.exit(1));
await nextTurn();

keepLongKeys(Object);
try {
  const database = await openPglite(process.argv[2] ?? '');
  await database.close();
  process.exit(0);
} catch (error) {
  process.send?.(error instanceof Error ? error.message : String(error), () => process.exit(1));
}
