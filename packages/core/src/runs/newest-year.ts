import { DomainError } from '../errors.ts';
import type { InputPorts, ResolvePorts } from '../pipelines/pipeline.ts';
import type { Timers } from '../timing/timers.ts';
import { withinLimit } from './stored-result.ts';
import type { RunService } from './types.ts';

/** Searches at a time: each may ask the catalogues once a year, and callers need no account. */
const MOST_SEARCHES = 4;
const RETRY_AFTER_SECONDS = 10;

/** Ports of the search; without a catalogue no year is found. */
interface YearDeps {
  readonly inputPorts: InputPorts | undefined;
  readonly now: ResolvePorts['now'];
  readonly timers: Timers;
}

/** Builds `RunService.newestYear`: equal calls share one search, and those beyond the limit are `throttled`. */
export function createYearSearch({ inputPorts, now, timers }: YearDeps): RunService['newestYear'] {
  const open = new Map<string, Promise<number | undefined>>();
  return async ({ name, regions }, region) => {
    if (inputPorts === undefined || regions?.newestYear === undefined) return undefined;
    const key = [name, ...region].join(':');
    const shared = open.get(key);
    if (shared !== undefined) return shared;
    if (open.size >= MOST_SEARCHES) {
      const text = `${MOST_SEARCHES} calls without a year are searched already, which is the maximum; send year, or retry later.`;
      throw new DomainError('throttled', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
    }
    const look = (signal: AbortSignal) => regions.newestYear?.(region, { ...inputPorts, now }, signal);
    const search = withinLimit(timers, look).finally(() => open.delete(key));
    open.set(key, search);
    return search;
  };
}
