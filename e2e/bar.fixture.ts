// Draws a progress bar while log lines are written, as the server does at its start.
import { createLogger } from '../packages/server/src/logger.ts';
import { createProgressBar } from '@headwater/stac-cli/terminal';
import { createTerminal } from '@headwater/stac-cli/terminal';

const terminal = createTerminal(process.stdout);
const logger = createLogger('info', process.argv[2] ?? '', { output: terminal });
const bar = createProgressBar('sample data', { terminal, logger });
for (let step = 0; step <= 20; step += 1) {
  bar.update(step / 20, 'scenes');
  if (step % 5 === 0) logger.info({ step }, `line ${step}`);
}
bar.done('sample data are generated');
logger.info({}, 'last line');
