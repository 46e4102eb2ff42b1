// Loaded into the processes of the soak by NODE_OPTIONS=--import. Appends a line of JSON to the file SOAK_PROBE every
// second: memory by kind, and the delays of the event loop in that second (99th percentile and maximum). At the minutes in SOAK_SNAPSHOTS
// (such as 5,15), also writes a heap snapshot into the folder of SOAK_PROBE. A snapshot itself needs memory, so
// snapshots are off by default.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeHeapSnapshot } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 1000;
const file = process.env['SOAK_PROBE'];

if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  setInterval(() => {
    const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
    // `monitorEventLoopDelay` returns delays in nanoseconds.
    const delays = { p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 };
    const sample = { pid: process.pid, heapBytes: heapUsed, rss, heapTotal, external, arrayBuffers, ...delays };
    delay.reset();
    appendFileSync(file, `${JSON.stringify(sample)}\n`);
  }, EVERY_MS).unref();
  for (const minute of (process.env['SOAK_SNAPSHOTS'] ?? '').split(',').filter((text) => text !== '')) {
    const name = `${file}.${process.pid}.${minute}.heapsnapshot`;
    setTimeout(() => writeHeapSnapshot(name), Number(minute) * 60_000).unref();
  }
}
