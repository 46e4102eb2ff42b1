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

/**
 * Builds `RunService.newestYear`: equal calls share one search; those beyond the limit, and a second search of one caller, are `throttled`. A
 * search that fails or takes too long is `unavailable`.
 */
export function createYearSearch({ inputPorts, now, timers }: YearDeps): RunService['newestYear'] {
  const open = new Map<string, Promise<number | undefined>>();
  const callers = new Set<string>();
  return async ({ name, regions }, region, caller) => {
    if (inputPorts === undefined || regions?.newestYear === undefined) return undefined;
    const key = [name, ...region].join(':');
    const shared = open.get(key);
    if (shared !== undefined) return shared;
    if (caller !== undefined && callers.has(caller))
      throw retryLater(
        'throttled',
        'Another call of yours without a year is searched already; send year, or retry later.',
      );
    if (open.size >= MOST_SEARCHES) {
      const text = `${MOST_SEARCHES} calls without a year are searched already, which is the maximum; send year, or retry later.`;
      throw retryLater('throttled', text);
    }
    // An object, because a search that ends without a year differs from one that does not end.
    const look = async (signal: AbortSignal) => ({
      year: await regions.newestYear?.(region, { ...inputPorts, now }, signal),
    });
    const search = withinLimit(timers, look)
      .then(yearOf)
      .finally(() => {
        open.delete(key);
        if (caller !== undefined) callers.delete(caller);
      });
    open.set(key, search);
    if (caller !== undefined) callers.add(caller);
    return search;
  };
}

function yearOf(found: { readonly year: number | undefined } | undefined): number | undefined {
  if (found !== undefined) return found.year;
  throw retryLater('unavailable', 'The scenes could not be searched for the newest year; send year, or retry.');
}

function retryLater(code: 'throttled' | 'unavailable', text: string): DomainError {
  return new DomainError(code, text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
