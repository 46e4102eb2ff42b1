// Child process that downloads the address of argument 1 into the folder of argument 2. Prints the progress and the
// peak memory.
import { peakBytes } from '../../../../scripts/peak-memory.mjs';
import { downloadFile } from './download-file.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const STEP = 50_000_000;
let reported = 0;
const done = await downloadFile({
  url,
  folder,
  signal: new AbortController().signal,
  progress: (received) => {
    if (received - reported < STEP) return;
    reported = received;
    process.stdout.write(`${JSON.stringify({ received })}\n`);
  },
});
process.stdout.write(`${JSON.stringify({ ...done, peakBytes: peakBytes() })}\n`);
