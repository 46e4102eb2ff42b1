// First module of the command `headwater`.
import { prepareProcess } from './process.ts';

prepareProcess(process);
await import('./main.ts');
