import type { Metric } from './telemetry.ts';

/** Figures of a pool of database connections. */
export interface PoolFigures {
  readonly name: string;
  readonly limit: number;
  readonly idle: number;
  readonly busy: number;
  /** Number of statements that wait for a connection. */
  readonly waiting: number;
}

/** Numbers of blocks and bytes that were read through the cache of remote scenes since the process started. */
export interface SceneCacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly hitBytes: number;
  readonly missBytes: number;
}

/** Options of the metrics; `{}` is enough. */
export interface MetricsOptions {
  /** Token with which a program on another machine reads the metrics. */
  readonly token?: string;
  readonly pools?: () => readonly PoolFigures[];
  readonly sceneCache?: () => SceneCacheFigures;
}

/** Metrics of a process. */
export interface Metrics {
  observe(metric: Metric): void;
  /** Metrics in the text format of Prometheus. Waits at most a second for the database. */
  text(): Promise<string>;
  readonly type: string;
  close(): void;
}
