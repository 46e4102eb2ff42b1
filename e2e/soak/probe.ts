// Preloaded into the processes of the soak: appends memory and event-loop delays to SOAK_PROBE every second. Writes
// heap snapshots at the minutes in SOAK_SNAPSHOTS.
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
    // `monitorEventLoopDelay` returns nanoseconds.
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
