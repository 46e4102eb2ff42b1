// Step 1: the process. Memory and thread settings must be set before any other module is loaded.
import { prepareProcess } from '@headwater/server/process';

prepareProcess(process);
const { startReferenceServer } = await import('./server.ts');
await startReferenceServer(process.env, process.argv.slice(2));
