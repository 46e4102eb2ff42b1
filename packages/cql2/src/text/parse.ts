import { markRead } from '../build/mark.ts';
import { asCondition } from '../build/part.ts';
import { Budget } from '../model/budget.ts';
import { isCql2Error } from '../model/error.ts';
import type { Cql2Expression } from '../model/expression.ts';
import type { Cql2Limits } from '../model/budget.ts';
import { Cursor } from './cursor.ts';
import { readConditions } from './conditions.ts';
import { placeAt } from './tokens.ts';

/** Reads CQL2-Text. Throws `Cql2Error` with the position of what cannot be read. */
export function parseCql2Text(text: string, limits: Partial<Cql2Limits> = {}): Cql2Expression {
  try {
    return parsed(text, limits);
  } catch (error) {
    const escaped = text.replaceAll("\\'", "''");
    if (escaped === text || !isCql2Error(error) || error.details.code !== 'syntax') throw error;
    return parsedOr(error, escaped, limits);
  }
}

/**
 * The standard also writes a backslash before a quotation mark within a text, and a backslash before the last one is no other sign there:
 * read so only where it makes no sense otherwise, since paths and patterns may end in one.
 */
function parsedOr(error: unknown, escaped: string, limits: Partial<Cql2Limits>): Cql2Expression {
  try {
    return parsed(escaped, limits);
  } catch {
    throw error;
  }
}

function parsed(text: string, limits: Partial<Cql2Limits>): Cql2Expression {
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
