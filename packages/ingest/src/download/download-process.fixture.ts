// Downloads the address and into the folder that the command line names, as a process of its own that can be killed: says how far it is
// on standard output, and in the end the most memory that it had.
import { peakBytes } from '../../../../scripts/peak-memory.mjs';
import { downloadFile } from './download-file.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const STEP = 50_000_000;
let told = 0;
const done = await downloadFile({
  url,
  folder,
  signal: new AbortController().signal,
  progress: (received) => {
    if (received - told < STEP) return;
    told = received;
    process.stdout.write(`${JSON.stringify({ received })}\n`);
  },
});
process.stdout.write(`${JSON.stringify({ ...done, peakBytes: peakBytes() })}\n`);
