import type { Run } from '../ports/runs.ts';

/** Caller and size of a run without owner. */
export interface RunCall {
  /** Key of the caller's address; null for callers that are not counted by address. */
  readonly from: string | null;
  /** Size of the region, km2: an estimate of the duration. */
  readonly km2: number;
}

/** Wait in seconds that a km2 of a region is worth: a larger region is passed by smaller ones for this long, not for ever. */
export const WAIT_SECONDS_PER_KM2 = 0.25;

/** Parameters with their call as the last member, where SQL finds it. */
export function withCall(params: Run['params'], { from, km2 }: RunCall): Run['params'] {
  const { call: _, ...others } = params;
  return { ...others, call: { from, km2: Number(km2.toFixed(3)) } };
}

/** JSON text of the beginning of a call from this address, as it stands in stored parameters. */
export const callMark = (from: string): string => `"call":{"from":${JSON.stringify(from)},`;

/** Call of a run; undefined if none is stored. */
export function callOf({ params }: Pick<Run, 'params'>): RunCall | undefined {
  const { call } = params;
  if (typeof call !== 'object' || call === null || !('from' in call) || !('km2' in call)) return undefined;
  const { from, km2 } = call;
  return (typeof from === 'string' || from === null) && typeof km2 === 'number' ? { from, km2 } : undefined;
}

/** Time that orders runs without owner in the queue, ms: the smallest first, and each of them some day. */
export const turnOf = (run: Pick<Run, 'params' | 'createdAt'>): number =>
  Date.parse(run.createdAt) + (callOf(run)?.km2 ?? 0) * WAIT_SECONDS_PER_KM2 * 1000;
