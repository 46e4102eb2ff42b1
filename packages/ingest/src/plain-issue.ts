import type { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/**
 * What a schema's own words leave open, in plain ones: problem and remedy for somebody who wrote the value by hand. For `error` of a
 * parse; what a schema says itself goes before.
 */
export function plainIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue.expected, issue.input);
    case 'too_small':
      return issue.origin === 'string' ? 'is empty; write something' : `must be ${issue.minimum} at least`;
    case 'too_big':
      return mostProblem(issue.origin, issue.maximum);
    case 'unrecognized_keys':
      return `has ${issue.keys.slice(0, MOST_LISTED).join(', ').slice(0, 200)}, which is not known; take it out`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    default:
      return 'is not valid; look the field up';
  }
}

const MOST_LISTED = 8;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object with members',
};

function typeProblem(expected: string, input: unknown): string {
  const kind = KINDS[expected] ?? expected;
  return input === undefined || input === null ? `is missing; write it as ${kind}` : `must be ${kind}`;
}

function mostProblem(origin: string, most: number | bigint): string {
  if (origin === 'string') return `is longer than ${most} characters; shorten it`;
  if (origin === 'array') return `has more than ${most} entries; leave some out`;
  return `must be ${most} at most`;
}
