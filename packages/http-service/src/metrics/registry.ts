/** Labels of a sample. Each label has few values, because each combination of values is a time series. */
export type Labels = Readonly<Record<string, string>>;

/** A value with its labels. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** Metric whose values are read when the text is written. Names and units follow Prometheus. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A gauge with one value and without labels. */
export function gauge(name: string, help: string, value: number): Family {
  return { name, type: 'gauge', help, samples: [{ value }] };
}

/** Value that only grows while the process lives. */
export interface Counter {
  add(labels: Labels, value?: number): void;
}

/** For each limit, the number of values up to this limit; and the sum and number of all values. */
export interface Histogram {
  observe(labels: Labels, value: number): void;
}

/** Metrics that this process counts. */
export interface Registry {
  counter(name: string, help: string): Counter;
  /** `limits`: ascending upper limits of the buckets, without infinity. */
  histogram(name: string, help: string, limits: readonly number[]): Histogram;
  /** The counted metrics and `families`, in the text format of Prometheus. */
  text(families: readonly Family[]): string;
}

/** Media type of the text: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Maximum number of label combinations of a metric; more are ignored, so that a defect cannot fill the memory. */
const MOST_SERIES = 2000;

/** Creates a registry without metrics. */
export function createRegistry(): Registry {
  const lines: (() => readonly string[])[] = [];
  return {
    counter(name, help) {
      const series = createSeries(() => ({ value: 0 }));
      lines.push(() => [
        ...head(name, 'counter', help),
        ...series.all().map(({ labels, state }) => line(name, labels, state.value)),
      ]);
      return {
        add: (labels, value = 1) => {
          const state = series.of(labels);
          if (state !== undefined) state.value += value;
        },
      };
    },
    histogram(name, help, limits) {
      const series = createSeries(() => ({ counts: limits.map(() => 0), count: 0, sum: 0 }));
      lines.push(() => [
        ...head(name, 'histogram', help),
        ...series
          .all()
          .flatMap(({ labels, state }) => [
            ...limits.map((limit, at) =>
              line(`${name}_bucket`, { ...labels, le: String(limit) }, state.counts[at] ?? 0),
            ),
            line(`${name}_bucket`, { ...labels, le: '+Inf' }, state.count),
            line(`${name}_sum`, labels, state.sum),
            line(`${name}_count`, labels, state.count),
          ]),
      ]);
      return {
        observe: (labels, value) => {
          const state = series.of(labels);
          if (state === undefined) return;
          state.count += 1;
          state.sum += value;
          // The buckets of Prometheus are cumulative.
          for (const [at, limit] of limits.entries())
            if (value <= limit) state.counts[at] = (state.counts[at] ?? 0) + 1;
        },
      };
    },
    text: (families) =>
      [
        ...lines.flatMap((write) => write()),
        // A metric without samples is listed too, so that dashboards find its name.
        ...families.flatMap(({ name, type, help, samples }) => [
          ...head(name, type, help),
          ...samples.map(({ labels = {}, value }) => line(name, labels, value)),
        ]),
        '',
      ].join('\n'),
  };
}

function createSeries<T>(empty: () => T) {
  const states = new Map<string, { readonly labels: Labels; readonly state: T }>();
  return {
    all: (): readonly { readonly labels: Labels; readonly state: T }[] => [...states.values()],
    of: (labels: Labels): T | undefined => {
      const key = JSON.stringify(labels);
      const known = states.get(key);
      if (known !== undefined) return known.state;
      if (states.size >= MOST_SERIES) return undefined;
      const state = empty();
      states.set(key, { labels, state });
      return state;
    },
  };
}

function head(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`];
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
