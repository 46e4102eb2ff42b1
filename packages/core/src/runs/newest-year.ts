import { DomainError } from '../errors.ts';
import type { InputPorts, ResolvePorts } from '../pipelines/pipeline.ts';
import type { Timers } from '../timing/timers.ts';
import { withinLimit } from './stored-result.ts';
import type { RunService } from './types.ts';

/**
 * Maximum number of concurrent searches. It is small: a search may send a request per year, and callers need no
 * account.
 */
const MOST_SEARCHES = 4;
const RETRY_AFTER_SECONDS = 10;

interface YearDeps {
  readonly inputPorts: InputPorts | undefined;
  readonly now: ResolvePorts['now'];
  readonly timers: Timers;
}

/**
 * Builds `RunService.newestYear`. Equal concurrent calls share one search. Throws `throttled` while another search
 * of the same caller, or too many searches, are in progress. Throws `unavailable` if the search fails.
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
        'The service still searches for the newest year of your earlier call; send year, or retry later.',
      );
    if (open.size >= MOST_SEARCHES) {
      const text = `The service already searches for the newest year of ${MOST_SEARCHES} calls, which is the maximum; send year, or retry later.`;
      throw retryLater('throttled', text);
    }
    // The year is in an object, because `withinLimit` returns undefined for a failed search, and a year may be
    // undefined too.
    const findYear = async (signal: AbortSignal) => ({
      year: await regions.newestYear?.(region, { ...inputPorts, now }, signal),
    });
    const search = withinLimit(timers, findYear)
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
  throw retryLater('unavailable', 'The service could not search the scenes for the newest year; send year, or retry.');
}

/** Creates the error of a request that may be sent again after a few seconds. */
export function retryLater(code: 'throttled' | 'unavailable', text: string): DomainError {
  return new DomainError(code, text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
