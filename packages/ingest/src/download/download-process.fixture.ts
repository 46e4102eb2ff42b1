// Runs in a child process that a test can kill. Downloads the file at the address in the first argument into the folder
// in the second argument. Prints the progress of the download to standard output, and at the end the peak memory of the
// process.
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
