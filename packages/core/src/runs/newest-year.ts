import { DomainError } from '../errors.ts';
import type { InputPorts, ResolvePorts } from '../pipelines/pipeline.ts';
import type { Timers } from '../timing/timers.ts';
import { withinLimit } from './stored-result.ts';
import type { RunService } from './types.ts';

/** Maximum number of concurrent searches: each may send the catalogues one request per year, and callers need no account. */
const MOST_SEARCHES = 4;
const RETRY_AFTER_SECONDS = 10;

/** Ports of the search; without a catalogue no year is found. */
interface YearDeps {
  readonly inputPorts: InputPorts | undefined;
  readonly now: ResolvePorts['now'];
  readonly timers: Timers;
}

/**
 * Builds `RunService.newestYear`: equal calls share one search. Searches beyond the limit, and a second search of one caller, are refused
 * as `throttled`. A search that fails or takes too long throws `unavailable`.
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
        'The newest year is still being searched for another call of yours; send year, or retry later.',
      );
    if (open.size >= MOST_SEARCHES) {
      const text = `The newest year is being searched for ${MOST_SEARCHES} calls, which is the maximum; send year, or retry later.`;
      throw retryLater('throttled', text);
    }
    // An object, to distinguish a search that finds no year from one that fails or takes too long.
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
  throw retryLater('unavailable', 'The scenes could not be searched for the newest year; send year, or retry.');
}

function retryLater(code: 'throttled' | 'unavailable', text: string): DomainError {
  return new DomainError(code, text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
