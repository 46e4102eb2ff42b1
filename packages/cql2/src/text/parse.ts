import { markRead } from '../build/mark.ts';
import { asCondition } from '../build/part.ts';
import { Budget } from '../model/budget.ts';
import type { Cql2Expression } from '../model/expression.ts';
import type { Cql2Limits } from '../model/limits.ts';
import { Cursor } from './cursor.ts';
import { readConditions } from './conditions.ts';
import { placeAt } from './place.ts';

/** Reads CQL2-Text. Throws `Cql2Error` with the position of what cannot be read. */
export function parseCql2Text(text: string, limits: Partial<Cql2Limits> = {}): Cql2Expression {
  const budget = new Budget(limits);
  budget.characters(text.length, placeAt(0));
  const cursor = new Cursor(text);
  const whole = readConditions({ cursor, budget, depth: 0, inner: readConditions });
  if (cursor.token.kind !== 'end')
    throw cursor.unexpected(
      'AND, OR or the end of the text',
      'Join conditions by AND or OR, and compare by =, <>, <, >, <= or >=.',
    );
  return markRead(asCondition(whole));
}
