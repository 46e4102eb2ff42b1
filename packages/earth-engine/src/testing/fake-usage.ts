const METRIC = 'earthengine.googleapis.com/project/cpu/usage_time';

/** EECU-seconds (Google's unit of computing time) for a million pixels of one band. */
export const FAKE_EECU_PER_MILLION = 2.5;

interface Counted {
  readonly workloadTag: string;
  readonly computeType: string;
  readonly seconds: number;
  readonly atMs: number;
}

/** Options of `FakeUsage`. */
export interface FakeUsageOptions {
  /** Delay until responses contain the computing time of a request, ms; default 0. */
  readonly usageDelayMs?: number | undefined;
  readonly usagePageSize?: number | undefined;
}

/** Computing time of requests by workload tag, in the form of Cloud Monitoring. */
export class FakeUsage {
  readonly #counted: Counted[] = [];
  readonly #options: FakeUsageOptions;

  constructor(options: FakeUsageOptions = {}) {
    this.#options = options;
  }

  add(workloadTag: string, seconds: number, at: Date): void {
    const computeType = this.#counted.length % 3 === 2 ? 'highvolume' : 'online';
    this.#counted.push({ workloadTag, computeType, seconds, atMs: at.getTime() });
  }

  secondsOf(workloadTag: string): number {
    return this.#counted.reduce((sum, each) => (each.workloadTag === workloadTag ? sum + each.seconds : sum), 0);
  }

  answer(query: URLSearchParams, now: Date): Response {
    const { usageDelayMs = 0, usagePageSize = 100 } = this.#options;
    const [, type = '', tag = ''] =
      /^metric\.type="([^"]+)" AND metric\.labels\.workload_tag="([^"]+)"$/.exec(query.get('filter') ?? '') ?? [];
    const [from, until] = ['startTime', 'endTime'].map((name) => Date.parse(query.get(`interval.${name}`) ?? ''));
    const aligner = query.get('aggregation.perSeriesAligner');
    if (type !== METRIC || from === undefined || until === undefined || !(from < until) || aligner !== 'ALIGN_SUM')
      return Response.json(
        { error: { code: 400, message: 'Field filter had an invalid value.', status: 'INVALID_ARGUMENT' } },
        { status: 400 },
      );
    const seen = this.#counted.filter(
      ({ workloadTag, atMs }) =>
        workloadTag === tag && atMs > from && atMs <= until && atMs + usageDelayMs <= now.getTime(),
    );
    const series = [...Map.groupBy(seen, ({ computeType }) => computeType)].map(([computeType, requests]) =>
      seriesOf(tag, computeType, requests),
    );
    const first = Number(query.get('pageToken') ?? 0);
    const page = series.slice(first, first + usagePageSize);
    const more = first + usagePageSize < series.length ? { nextPageToken: String(first + usagePageSize) } : {};
    // Google omits an empty list.
    return Response.json({ ...(page.length === 0 ? {} : { timeSeries: page }), ...more, unit: 's' });
  }
}

/** A series with a point for each request. */
export function seriesOf(tag: string, computeType: string, requests: readonly Pick<Counted, 'seconds' | 'atMs'>[]) {
  return {
    metric: { type: METRIC, labels: { compute_type: computeType, workload_tag: tag } },
    resource: { type: 'earthengine.googleapis.com/Project', labels: { project_id: 'project', location: 'global' } },
    metricKind: 'DELTA',
    valueType: 'DOUBLE',
    points: requests.map(({ seconds, atMs }) => ({
      interval: { startTime: new Date(atMs - 3_600_000).toISOString(), endTime: new Date(atMs).toISOString() },
      value: { doubleValue: seconds },
    })),
  };
}
