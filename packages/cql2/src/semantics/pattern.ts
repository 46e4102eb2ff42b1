import type { Cql2Pattern } from '../model/expression.ts';
import { fold } from './fold.ts';

/** A pattern as one text, its folding done. */
export function patternText(pattern: Cql2Pattern): string {
  return typeof pattern === 'string' ? pattern : fold(pattern.op, patternText(pattern.args[0]));
}

/** A character to be met as it is, any one character (`_`), or any characters (`%`). */
type Step = { readonly kind: 'one'; readonly letter: string } | { readonly kind: 'any' } | { readonly kind: 'many' };

/** A test of whole texts against a pattern of LIKE. Characters are code points, as in PostgreSQL. */
export function likeTest(pattern: string): (text: string) => boolean {
  const steps = stepsOf([...pattern]);
  return (text) => isMatch(steps, [...text]);
}

function stepsOf(letters: readonly string[]): readonly Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? '';
    if (letter === '%') steps.push({ kind: 'many' });
    else if (letter === '_') steps.push({ kind: 'any' });
    else if (letter === '\\') steps.push({ kind: 'one', letter: letters[++at] ?? letter });
    else steps.push({ kind: 'one', letter });
  }
  return steps;
}

/** On a mismatch the last `%` takes one character more: never worse than the lengths multiplied. */
function isMatch(steps: readonly Step[], letters: readonly string[]): boolean {
  let [step, letter, lastMany, resumeAt] = [0, 0, -1, 0];
  while (letter < letters.length) {
    const next = steps[step];
    if (next?.kind === 'many') {
      lastMany = step++;
      resumeAt = letter;
    } else if (next !== undefined && (next.kind === 'any' || next.letter === letters[letter])) {
      step++;
      letter++;
    } else if (lastMany >= 0) {
      step = lastMany + 1;
      letter = ++resumeAt;
    } else return false;
  }
  return steps.slice(step).every(({ kind }) => kind === 'many');
}
