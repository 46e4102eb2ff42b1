import { type Cql2Expression, parseCql2Json, propertiesOf, writeCql2Text } from '@headwater/cql2';
import { isObject } from '@headwater/stac';
import { isTimeProperty } from './times.ts';

/** An instant with more digits than the milliseconds that stores keep of an Item's times. */
const FINER = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d+(Z|[+-]\d\d:\d\d)$/;
const HAS_FINER = /T\d\d:\d\d:\d\d\.\d{4}/;

/**
 * The filter with instants that stand beside an Item's times cut to milliseconds, as these are: an Item that was published at
 * 07:08:09.123456 is found by that very time. Beside other properties every digit counts.
 */
export function inMilliseconds(filter: Cql2Expression): Cql2Expression {
  // Written by the package of filters, which refuses trees that were made by hand and are too deep to be walked.
  return HAS_FINER.test(writeCql2Text(filter)) ? parseCql2Json(cutConditions(filter)) : filter;
}

function cutConditions(filter: Cql2Expression): unknown {
  if (typeof filter === 'boolean') return filter;
  if (filter.op === 'and' || filter.op === 'or' || filter.op === 'not')
    return { op: filter.op, args: filter.args.map(cutConditions) };
  return propertiesOf(filter).some(isTimeProperty) ? cut(filter) : filter;
}

/** No deeper than a filter may be. Names of properties stay, whatever they look like. */
function cut(part: unknown): unknown {
  if (typeof part === 'string') return part.replace(FINER, '$1$2');
  if (Array.isArray(part)) return part.map(cut);
  if (!isObject(part) || 'property' in part) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, cut(value)]));
}
