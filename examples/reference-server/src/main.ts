// Step 1: the process. Memory and threads must be set before any other import.
import { prepareProcess } from '@headwater/server/process';

prepareProcess(process);
const args = process.argv.slice(2);
if (args.includes('--help')) {
  const { serveHelp } = await import('@headwater/server');
  process.stdout.write(serveHelp());
} else {
  const { startReferenceServer } = await import('./server.ts');
  await startReferenceServer(process.env, args);
}
