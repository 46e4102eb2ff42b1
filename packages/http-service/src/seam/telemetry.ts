/** Span of a trace. */
export interface TelemetrySpan {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  recordException(error: Error): void;
  end(): void;
}

/** Used part of `@opentelemetry/api`. Pass the package: `import * as api from '@opentelemetry/api'`. */
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

/** Measurement. Labels have few values, such as ids of operations and names of pipelines. */
export interface Metric {
  readonly name:
    | 'http.server.request.duration'
    | 'headwater.run.duration'
    | 'headwater.plan.duration'
    | 'headwater.plan.pixels';
  /** Duration in seconds; for `pixels`, the number of decoded pixels. */
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** Traces and metrics of a service. */
export interface TelemetryOptions {
  /** `@opentelemetry/api`, for spans of requests, runs and pixel plans. */
  readonly api?: TelemetryApi;
  readonly onMetric?: (metric: Metric) => void;
}
