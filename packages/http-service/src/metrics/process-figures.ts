import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge, type Family } from './registry.ts';

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Memory, processor time and event loop of this process, with the usual names of Node's metrics. */
export interface ProcessFigures {
  families(): readonly Family[];
  close(): void;
}

/** Starts to measure the event loop's delay. */
export function createProcessFigures(): ProcessFigures {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const startedAt = Date.now() / 1000 - process.uptime();
  // The measured times include the interval between two measurements (`RESOLUTION_MS`), so it is subtracted.
  const delay = (nanoseconds: number): number =>
    delays.count === 0 ? 0 : Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000);
  return {
    families: () => {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const [p50, p99, max] = [delay(delays.percentile(50)), delay(delays.percentile(99)), delay(delays.max)];
      delays.reset();
      return [
        {
          name: 'process_cpu_seconds_total',
          type: 'counter',
          help: 'Processor time of the process and its threads.',
          samples: [{ value: (user + system) / MICROSECONDS }],
        },
        gauge('process_start_time_seconds', 'Start of the process, seconds since 1970.', startedAt),
        gauge('process_resident_memory_bytes', 'Memory of the process, with its threads.', rss),
        gauge('nodejs_heap_size_used_bytes', 'Used part of the heap of the main thread.', heapUsed),
        gauge('nodejs_heap_size_total_bytes', 'Heap of the main thread.', heapTotal),
        gauge('nodejs_external_memory_bytes', 'Memory outside of the heap.', external),
        gauge('nodejs_eventloop_lag_p50_seconds', 'Median delay of the event loop since the last scrape.', p50),
        gauge(
          'nodejs_eventloop_lag_p99_seconds',
          'Delay of the event loop, 99th percentile since the last scrape.',
          p99,
        ),
        gauge('nodejs_eventloop_lag_max_seconds', 'Longest delay of the event loop since the last scrape.', max),
      ];
    },
    close: () => delays.disable(),
  };
}
