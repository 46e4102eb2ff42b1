import type { Clock, Timers } from '@headwater/core';
import { within } from '@headwater/core/timing';
import { failing, type HealthPart } from './report.ts';

/** Intervals of a probe. */
export interface ProbeSettings {
  /** Time for which a result is reused, ms. */
  readonly freshMs: number;
  /** Time for which a result is reused if the part is not ok, ms; default: `freshMs`. */
  readonly againMs?: number;
  /** Timeout of a probe, ms, after which the part counts as failing. */
  readonly deadlineMs: number;
  /** Age at which a result expires, ms. The part is then `starting`. Default: never. */
  readonly expiresMs?: number;
}

/** Clock and timers of a probe. */
export interface ProbeTime {
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Longest wait of a health request, ms. The request then gets the previous result. */
const PATIENCE_MS = 700;

/** Creates a probe of one part. Only one check runs at a time. A health report waits at most 700 ms. */
export function createProbe(
  check: () => Promise<HealthPart>,
  { freshMs, againMs = freshMs, deadlineMs, expiresMs = Infinity }: ProbeSettings,
  { clock, timers }: ProbeTime,
): () => Promise<HealthPart> {
  let seen: { readonly part: HealthPart; readonly atMs: number } | undefined;
  let running: { readonly end: Promise<void>; readonly sinceMs: number } | undefined;
  const restOf = ({ state }: HealthPart): number => (state === 'ok' ? freshMs : againMs);
  const now = (): number => clock.now().getTime();
  const watch = async (): Promise<void> => {
    seen = { part: await attempt(check), atMs: now() };
    running = undefined;
  };
  const begin = (): NonNullable<typeof running> => {
    return (running = { end: watch(), sinceMs: now() });
  };
  return async () => {
    if (running === undefined && seen !== undefined && now() - seen.atMs < restOf(seen.part)) return seen.part;
    const { end, sinceMs } = running ?? begin();
    const left = Math.min(PATIENCE_MS, sinceMs + deadlineMs - now());
    if (left > 0) await within(timers, left, end);
    if (running !== undefined && now() - sinceMs >= deadlineMs)
      return failing(`no answer for ${Math.round((now() - sinceMs) / 1000)} s`);
    if (seen === undefined) return { state: 'starting', detail: 'the first check is in progress' };
    const ageMs = now() - seen.atMs;
    if (running === undefined || ageMs < expiresMs) return seen.part;
    const { state } = seen.part;
    return {
      state: 'starting',
      detail: `a new check is in progress; ${Math.round(ageMs / 1000)} s ago the result was ${state}`,
    };
  };
}

async function attempt(check: () => Promise<HealthPart>): Promise<HealthPart> {
  try {
    return await check();
  } catch (error) {
    return failing(error instanceof Error ? error.message : 'unknown failure');
  }
}
