import { DomainError } from '@headwater/core';
import { sentences } from '../wire/sentences.ts';

/** Objects and lists in each other: a filter at its limit has about 140, and what is much deeper exhausts the stack of whoever reads or writes it. */
const DEEPEST = 200;

/** Returns the value, unless its objects and lists are nested deeper than anything that is asked for here: `parse`. */
export function refuseDeep(root: unknown): unknown {
  // Level by level: a walk that calls itself would fail at what it is to find.
  let level = [root].filter(isParent);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === DEEPEST) throw new DomainError('parse', sentences.unreadable('JSON', sentences.tooDeep(DEEPEST)));
    level = level.flatMap((parent): object[] => Object.values(parent).filter(isParent));
  }
  return root;
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
