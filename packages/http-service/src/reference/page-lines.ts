import type { Operation } from '../operation.ts';
import type { PageLines } from '../pages/docs-page.ts';
import { curlLine, type LineFacts, signInLines } from './curl-line.ts';

/** The lines of the whole reference: every example of every row. */
export function pageLines(operations: readonly Operation[], facts: LineFacts): PageLines {
  const examplesOf = (row: Operation) =>
    row.examples.map((example) => ({
      name: example.name,
      status: example.status,
      line: curlLine(row, example, facts),
    }));
  return {
    told: facts.known.told,
    signIn: signInLines(facts.baseUrl),
    examples: new Map(operations.map((row) => [row.id, examplesOf(row)])),
  };
}
