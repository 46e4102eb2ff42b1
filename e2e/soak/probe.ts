// Loaded into the processes of the soak by NODE_OPTIONS=--import. Appends a line of JSON to the file SOAK_PROBE every
// second: heap in use and the longest delay of the event loop of that second.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 1000;
const file = process.env['SOAK_PROBE'];

if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  setInterval(() => {
    const { heapUsed } = process.memoryUsage();
    // Delays are in nanoseconds.
    const sample = { pid: process.pid, heapBytes: heapUsed, p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 };
    delay.reset();
    appendFileSync(file, `${JSON.stringify(sample)}\n`);
  }, EVERY_MS).unref();
}
