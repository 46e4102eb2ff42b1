// Step 1: the process. Settings of memory and threads count from its first moment, so this comes before anything else is loaded.
import { prepareProcess } from '@headwater/server/process';

prepareProcess(process);
const { startReferenceServer } = await import('./server.ts');
await startReferenceServer(process.env, process.argv.slice(2));
