import { isObject } from '@headwater/core/values';
import { type GoogleApi, PlatformError } from '../google-api.ts';

/** Metric of the computing time of successful requests, EECU-seconds since the previous point. */
const METRIC = 'earthengine.googleapis.com/project/cpu/usage_time';
const MOST_PAGES = 20;
const TIMEOUT_MS = 30_000;
/** Form of a workload tag, without special characters of filters. */
const TAG = /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;

/** Requests of one run: the charged project, the workload tag, and the period to read. */
export interface TaggedRequests {
  readonly project: string;
  readonly workloadTag: string;
  readonly from: Date;
  readonly until: Date;
}

/**
 * Reads the computing time of requests from Cloud Monitoring, EECU-seconds; undefined without data. Throws
 * `PlatformError`, also for incomplete data.
 */
export async function computingTime(
  api: Pick<GoogleApi, 'request'>,
  requests: TaggedRequests,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (!TAG.test(requests.workloadTag))
    throw new PlatformError(
      'refused',
      'The workload tag of this run is not valid, so its computing time cannot be read.',
    );
  let sum: number | undefined;
  let pageToken = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const path = `/v3/projects/${encodeURIComponent(requests.project)}/timeSeries?${queryOf(requests, pageToken).toString()}`;
    const answer = await api.request({ host: 'monitoring', path, signal, timeoutMs: TIMEOUT_MS });
    const { timeSeries = [], nextPageToken = '', executionErrors = [] } = answer;
    if (!Array.isArray(timeSeries) || typeof nextPageToken !== 'string') throw malformed('a list of series');
    if (!Array.isArray(executionErrors) || executionErrors.length > 0) throw incomplete();
    for (const series of timeSeries) sum = (sum ?? 0) + secondsOf(series, requests);
    if (nextPageToken === '') return sum;
    pageToken = nextPageToken;
  }
  throw incomplete();
}

function queryOf({ workloadTag, from, until }: TaggedRequests, pageToken: string): URLSearchParams {
  return new URLSearchParams({
    filter: `metric.type="${METRIC}" AND metric.labels.workload_tag="${workloadTag}"`,
    'interval.startTime': from.toISOString(),
    'interval.endTime': until.toISOString(),
    'aggregation.alignmentPeriod': '3600s',
    // `ALIGN_SUM`, because `ALIGN_DELTA` would interpolate at the edges of the periods.
    'aggregation.perSeriesAligner': 'ALIGN_SUM',
    view: 'FULL',
    ...(pageToken === '' ? {} : { pageToken }),
  });
}

function secondsOf(series: unknown, { workloadTag }: TaggedRequests): number {
  const { metric, points } = isObject(series) ? series : {};
  const { type, labels } = isObject(metric) ? metric : {};
  if (type !== METRIC || !isObject(labels) || labels['workload_tag'] !== workloadTag)
    throw new PlatformError('transient', 'Cloud Monitoring sent data with another workload tag than that of this run.');
  if (!Array.isArray(points)) throw malformed('points');
  return points.reduce((sum: number, point: unknown) => sum + valueOf(point), 0);
}

function valueOf(point: unknown): number {
  const value = isObject(point) ? point['value'] : undefined;
  const { doubleValue, int64Value } = isObject(value) ? value : {};
  // Google writes 64-bit integers in JSON as text.
  const seconds = typeof int64Value === 'string' && /^\d{1,15}$/.test(int64Value) ? Number(int64Value) : doubleValue;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) throw malformed('a number of seconds');
  return seconds;
}

const malformed = (what: string): PlatformError =>
  new PlatformError('transient', `Cloud Monitoring sent a response without ${what}.`);

const incomplete = (): PlatformError =>
  new PlatformError('transient', 'Cloud Monitoring sent only a part of the data.');
