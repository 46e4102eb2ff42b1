import type { Clock, Timers } from '@headwater/core';
import { within } from '@headwater/core/timing';
import { failing, type HealthPart } from './report.ts';

/** How a part is looked at. */
export interface ProbeSettings {
  /** How long what was seen is told again, ms: however often health is asked, the part is looked at no more often. */
  readonly freshMs: number;
  /** The same while the part is not well; default: `freshMs`. */
  readonly againMs?: number;
  /** A look that takes longer counts as a failure, ms. */
  readonly deadlineMs: number;
  /** What was seen longer ago is not told any more, ms: while it is looked at anew the part is `starting`; default: it is told. */
  readonly toldForMs?: number;
}

/** Time of a probe. */
export interface ProbeTime {
  readonly clock: Clock;
  readonly timers: Timers;
}

/** How long an answer of health waits for a look, ms; then it tells what was seen before. */
const PATIENCE_MS = 700;

/**
 * A part that is looked at no more often than its settings say, once at a time, and told within 700 ms whatever it does. While a
 * look that never ends is under way no other begins, so a part that hangs collects nothing.
 */
export function createProbe(
  look: () => Promise<HealthPart>,
  { freshMs, againMs = freshMs, deadlineMs, toldForMs = Infinity }: ProbeSettings,
  { clock, timers }: ProbeTime,
): () => Promise<HealthPart> {
  let seen: { readonly part: HealthPart; readonly atMs: number } | undefined;
  let under: { readonly end: Promise<void>; readonly sinceMs: number } | undefined;
  const restOf = ({ state }: HealthPart): number => (state === 'ok' ? freshMs : againMs);
  const now = (): number => clock.now().getTime();
  const watch = async (): Promise<void> => {
    seen = { part: await attempt(look), atMs: now() };
    under = undefined;
  };
  const begin = (): NonNullable<typeof under> => {
    return (under = { end: watch(), sinceMs: now() });
  };
  return async () => {
    if (under === undefined && seen !== undefined && now() - seen.atMs < restOf(seen.part)) return seen.part;
    const { end, sinceMs } = under ?? begin();
    const left = Math.min(PATIENCE_MS, sinceMs + deadlineMs - now());
    if (left > 0) await within(timers, left, end);
    if (under !== undefined && now() - sinceMs >= deadlineMs)
      return failing(`no answer for ${Math.round((now() - sinceMs) / 1000)} s`);
    if (seen === undefined) return { state: 'starting', detail: 'the first look at it is under way' };
    const ageMs = now() - seen.atMs;
    if (under === undefined || ageMs < toldForMs) return seen.part;
    const { state } = seen.part;
    return {
      state: 'starting',
      detail: `a look at it is under way; ${Math.round(ageMs / 1000)} s ago it was ${state}`,
    };
  };
}

async function attempt(look: () => Promise<HealthPart>): Promise<HealthPart> {
  try {
    return await look();
  } catch (error) {
    return failing(error instanceof Error ? error.message : 'unknown failure');
  }
}
