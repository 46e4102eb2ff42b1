import type { Run } from '../ports/runs.ts';

/** Caller of a run without owner, and the size of its region. */
export interface RunCall {
  /** Key of the caller's address; null for callers that are not counted by address. */
  readonly from: string | null;
  /** Size of the region, km2, by which `turnOf` delays the run. */
  readonly km2: number;
}

/**
 * Seconds per km2 of a region that are added to the time of its request. Runs without an owner are claimed in the
 * order of this sum, so a small region can overtake a large one.
 */
export const WAIT_SECONDS_PER_KM2 = 0.25;

/** Returns parameters with the call as last member, because SQL statements search for the call there. */
export function withCall(params: Run['params'], { from, km2 }: RunCall): Run['params'] {
  const { call: _, ...others } = params;
  return { ...others, call: { from, km2: Number(km2.toFixed(3)) } };
}

/** Returns the beginning of the JSON text of a call from this address. */
export const callMark = (from: string): string => `"call":{"from":${JSON.stringify(from)},`;

/** Returns the call that is stored with a run; undefined if none is stored. */
export function callOf({ params }: Pick<Run, 'params'>): RunCall | undefined {
  const { call } = params;
  if (typeof call !== 'object' || call === null || !('from' in call) || !('km2' in call)) return undefined;
  const { from, km2 } = call;
  return (typeof from === 'string' || from === null) && typeof km2 === 'number' ? { from, km2 } : undefined;
}

/** Returns the time by which runs without owner are ordered, ms. Large regions are delayed. */
export const turnOf = (run: Pick<Run, 'params' | 'createdAt'>): number =>
  Date.parse(run.createdAt) + (callOf(run)?.km2 ?? 0) * WAIT_SECONDS_PER_KM2 * 1000;
