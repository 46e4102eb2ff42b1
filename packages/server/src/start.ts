// What `npm start` and the command `headwater` run: it says at once that something happens, for loading the rest takes a second or two.
import { openingLine } from './opening-line.ts';
import { applyProcessSettings } from './process-settings.ts';

applyProcessSettings(process);
process.stdout.write(openingLine(process.argv.slice(2), { isTTY: process.stdout.isTTY, now: new Date() }));
await import('./main.ts');
