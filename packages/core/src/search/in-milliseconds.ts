import { type Cql2Expression, parseCql2Json, propertiesOf, writeCql2Text } from '@headwater/cql2';
import { isObject } from '@headwater/stac';
import { isTimeProperty } from './times.ts';

/** Pattern of an instant with digits after the milliseconds. Stores keep the times of Items in milliseconds. */
const FINER = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d+(Z|[+-]\d\d:\d\d)$/;
const HAS_FINER = /T\d\d:\d\d:\d\d\.\d{4}/;

/**
 * Truncates instants in a filter to milliseconds if they are compared with an Item's times, which stores also
 * truncate. So a filter for 07:08:09.123456 finds an Item that was published with this time. Instants compared with
 * other properties keep all digits.
 */
export function inMilliseconds(filter: Cql2Expression): Cql2Expression {
  // `writeCql2Text` refuses trees that are too deep for the recursion below.
  return HAS_FINER.test(writeCql2Text(filter)) ? parseCql2Json(cutConditions(filter)) : filter;
}

function cutConditions(filter: Cql2Expression): unknown {
  if (typeof filter === 'boolean') return filter;
  if (filter.op === 'and' || filter.op === 'or' || filter.op === 'not')
    return { op: filter.op, args: filter.args.map(cutConditions) };
  return propertiesOf(filter).some(isTimeProperty) ? cut(filter) : filter;
}

/** Truncates instants in a part of a condition; the filter limits the depth. Property names stay unchanged. */
function cut(part: unknown): unknown {
  if (typeof part === 'string') return part.replace(FINER, '$1$2');
  if (Array.isArray(part)) return part.map(cut);
  if (!isObject(part) || 'property' in part) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, cut(value)]));
}
