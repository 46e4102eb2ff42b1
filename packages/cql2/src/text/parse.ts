import { markParsed } from '../build/parsed-trees.ts';
import { asCondition } from '../build/part.ts';
import { Budget } from '../model/budget.ts';
import { isCql2Error } from '../model/error.ts';
import type { Cql2Expression } from '../model/expression.ts';
import type { Cql2Limits } from '../model/budget.ts';
import { Cursor } from './cursor.ts';
import { readConditions } from './conditions.ts';
import { placeAt } from './tokens.ts';

/** Parses CQL2-Text. Throws `Cql2Error` with the position of the invalid part. */
export function parseCql2Text(text: string, limits: Partial<Cql2Limits> = {}): Cql2Expression {
  try {
    return parseWhole(text, limits);
  } catch (error) {
    const escaped = text.replaceAll("\\'", "''");
    if (escaped === text || !isCql2Error(error) || error.details.code !== 'syntax') throw error;
    return parseWholeOr(error, escaped, limits);
  }
}

/**
 * Parses the text again, but reads a backslash before a quotation mark as an escape, which the standard also allows.
 * Called only if the text is invalid without this, because a path or pattern may end in a backslash. Throws the first
 * error if the second try also fails.
 */
function parseWholeOr(error: unknown, escaped: string, limits: Partial<Cql2Limits>): Cql2Expression {
  try {
    return parseWhole(escaped, limits);
  } catch {
    throw error;
  }
}

function parseWhole(text: string, limits: Partial<Cql2Limits>): Cql2Expression {
  const budget = new Budget(limits);
  budget.characters(text.length, placeAt(0));
  const cursor = new Cursor(text);
  const whole = readConditions({ cursor, budget, depth: 0, inner: readConditions });
  if (cursor.token.kind !== 'end')
    throw cursor.unexpected(
      'AND, OR or the end of the text',
      'Join conditions with AND or OR; compare values with =, <>, <, >, <= or >=.',
    );
  budget.end();
  return markParsed(asCondition(whole));
}
