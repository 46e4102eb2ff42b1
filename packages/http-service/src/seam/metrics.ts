import type { Metric } from './telemetry.ts';

/** Figures of a pool of connections to the database. */
export interface PoolFigures {
  readonly name: string;
  readonly limit: number;
  readonly idle: number;
  readonly busy: number;
  /** Number of statements that wait for a connection. */
  readonly waiting: number;
}

/** Reads of the cache of remote scenes since the start: blocks and bytes that were cached (hits) or requested (misses). */
export interface SceneCacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly hitBytes: number;
  readonly missBytes: number;
}

/** Option of the metrics; `{}` is enough. */
export interface MetricsOptions {
  /** Token with which a program at another address reads the metrics. Default: none. */
  readonly token?: string;
  /** Pools of connections to the database. Default: none. */
  readonly pools?: () => readonly PoolFigures[];
  /** Cache of remote scenes. Default: none. */
  readonly sceneCache?: () => SceneCacheFigures;
}

/** Metrics of a process. */
export interface Metrics {
  /** Receives a measurement. */
  observe(metric: Metric): void;
  /** All metrics in the text format of Prometheus. Waits at most a second for the database. */
  text(): Promise<string>;
  /** Media type of the text. */
  readonly type: string;
  close(): void;
}
