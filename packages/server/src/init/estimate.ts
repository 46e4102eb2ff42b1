import { stat } from 'node:fs/promises';
import type { Run } from '@headwater/core';
import { countOf } from '@headwater/core/values';
import type { PlannedReads } from '@headwater/land-cover';
import { Network } from '@headwater/net';

/** Expected work of a run. */
export interface Estimate {
  readonly scenes: number;
  /** Bytes that the run reads; undefined if the size of no file is known. */
  readonly bytes: number | undefined;
  readonly isRemote: boolean;
  /** Bytes a second from a server of the scenes; undefined for local files, or if unknown. */
  readonly bytesPerSecond: number | undefined;
  readonly seconds: number;
  /** True if the newest run determines the speed of processing; false if it is assumed. */
  readonly isMeasured: boolean;
}

const SAMPLED = 12;

const PROBE_BYTES = 1_000_000;

/** Assumed speed without an earlier run. It was measured with the sample on two cores (139 scenes of 4 x 4 km). */
const PIXELS_PER_SECOND = 3_000_000;

/** Decoded samples for each 10 m pixel of a scene: four bands of 10 m and two of 20 m. */
const DECODED = 4.5;

type PlannedFile = PlannedReads['files'][number];

/** Network and history of an estimate. */
export interface EstimateTools {
  readonly allowedOrigins: readonly string[];
  /** Newest successful run of land cover, if there is one. */
  readonly newest: Pick<Run, 'startedAt' | 'finishedAt' | 'timings'> | undefined;
  readonly signal: AbortSignal;
}

/**
 * Estimates a run from the sizes of some files, the speed of their server, and the speed of the newest run. Sends at
 * most 13 requests.
 */
export async function estimateRun(planned: PlannedReads, tools: EstimateTools): Promise<Estimate> {
  const network = new Network({ settings: { allowedOrigins: tools.allowedOrigins } });
  const { files } = planned;
  const step = Math.max(1, Math.floor(files.length / SAMPLED));
  const sampled = files.filter((_, index) => index % step === 0).slice(0, SAMPLED);
  const sizes = await Promise.all(sampled.map((file) => sizeOf(file, network, tools.signal).catch(() => undefined)));
  const known = sampled.flatMap(({ share }, i) => (sizes[i] === undefined ? [] : [share * sizes[i]]));
  const mean = known.reduce((sum, bytes) => sum + bytes, 0) / known.length;
  const bytes = known.length === 0 ? undefined : mean * files.length;
  const remote = sampled.find(({ href }) => isRemote(href));
  const bytesPerSecond =
    remote === undefined ? undefined : await speedOf(remote, network, tools.signal).catch(() => undefined);
  const reading = bytes === undefined || bytesPerSecond === undefined ? 0 : bytes / bytesPerSecond;
  const rate = rateOf(tools.newest);
  return {
    scenes: planned.years.reduce((sum, { scenes }) => sum + scenes, 0),
    bytes,
    isRemote: remote !== undefined,
    bytesPerSecond,
    // Reading and computing overlap, so the slower one determines the time.
    seconds: Math.max(reading, planned.scenePixels / (rate ?? PIXELS_PER_SECOND)),
    isMeasured: rate !== undefined,
  };
}

const isRemote = (href: string): boolean => /^https?:/i.test(href);

async function sizeOf({ href }: PlannedFile, network: Network, signal: AbortSignal): Promise<number | undefined> {
  if (!isRemote(href)) return (await stat(href)).size;
  const answer = await network.send({ href, headers: { range: 'bytes=0-0' } }, signal);
  answer.discard();
  const size = Number(/\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1]);
  return answer.status === 206 && size > 0 ? size : undefined;
}

async function speedOf({ href }: PlannedFile, network: Network, signal: AbortSignal): Promise<number | undefined> {
  const from = performance.now();
  const answer = await network.send({ href, headers: { range: `bytes=0-${PROBE_BYTES - 1}` } }, signal);
  if (answer.status !== 206) {
    answer.discard();
    return undefined;
  }
  const { byteLength } = await answer.bytes(PROBE_BYTES);
  return (byteLength * 1000) / Math.max(1, performance.now() - from);
}

function rateOf(run: EstimateTools['newest']): number | undefined {
  const decoded = run?.timings['decoded_pixels'] ?? 0;
  if (run === undefined || run.startedAt === null || run.finishedAt === null || decoded <= 0) return undefined;
  const seconds = (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000;
  return seconds > 0 ? decoded / DECODED / seconds : undefined;
}

/** Lines about the expected work of a run, printed before the start. */
export function estimateLines({ years }: PlannedReads, estimate: Estimate): readonly string[] {
  const { scenes, bytes, seconds, isMeasured } = estimate;
  const size = bytes === undefined ? 'of unknown size' : `about ${sizeText(bytes)}`;
  const speed = isMeasured ? 'at the speed of the newest run here' : 'at the speed of a machine with two cores';
  return [
    ...years.map(
      ({ year, scenes: read, cloudy }) =>
        `  ${year}-${year + 1}: ${countOf(read, 'scene')}${cloudy === 0 ? '' : `, ${cloudy} more are too cloudy`}`,
    ),
    `  cost: ${countOf(scenes, 'scene')}, ${size} ${originText(estimate)}, about ${timeText(seconds)} ${speed}`,
  ];
}

function originText({ isRemote: remote, bytesPerSecond }: Estimate): string {
  if (!remote) return 'from this disk';
  return bytesPerSecond === undefined
    ? 'over the network at an unknown speed'
    : `over the network at ${(bytesPerSecond / 1e6).toFixed(1)} MB/s`;
}

const sizeText = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;

const timeText = (seconds: number): string =>
  seconds < 60
    ? 'one minute'
    : seconds < 90 * 60
      ? `${Math.ceil(seconds / 60)} minutes`
      : `${(seconds / 3600).toFixed(1)} hours`;
