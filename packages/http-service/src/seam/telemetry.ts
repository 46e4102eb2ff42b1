/** A span of a trace. */
export interface TelemetrySpan {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  recordException(error: Error): void;
  end(): void;
}

/** The part of `@opentelemetry/api` that the service uses. Pass the package itself: `import * as api from '@opentelemetry/api'`. */
export interface TelemetryApi {
  readonly trace: {
    getTracer(
      name: string,
      version?: string,
    ): {
      startActiveSpan<T>(
        name: string,
        options: { readonly kind?: number; readonly attributes?: Record<string, string | number> },
        context: unknown,
        work: (span: TelemetrySpan) => T,
      ): T;
    };
  };
  readonly context: { active(): unknown };
  readonly propagation: {
    inject(context: unknown, carrier: Record<string, string>): void;
    extract(context: unknown, carrier: Record<string, string>): unknown;
  };
}

/** A measurement. Its labels have few values: ids of operations, names of pipelines, states, statuses and their classes. */
export interface Metric {
  readonly name:
    | 'http.server.request.duration'
    | 'headwater.run.duration'
    | 'headwater.plan.duration'
    | 'headwater.plan.pixels';
  /** Seconds; for the measurement `pixels`, the number of pixels that were decoded from scenes. */
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** Traces and metrics of a service. */
export interface TelemetryOptions {
  /** `@opentelemetry/api`: spans of requests, of runs and of pixel plans. */
  readonly api?: TelemetryApi;
  /** Receives each measurement. */
  readonly onMetric?: (metric: Metric) => void;
}
