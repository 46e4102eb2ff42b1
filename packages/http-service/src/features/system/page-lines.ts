import { policies, policiesOf } from '@headwater/identity';
import type { Operation, OperationExample } from '../../rows/operation.ts';
import type { PageLines } from './page/docs-page.ts';
import { curlLine, keyLine, type LineFacts, signInLines } from './curl-line.ts';

/** True where an example asks for something of which this service has none. */
function isAbsent(
  { id }: Operation,
  { params = {}, query = {} }: OperationExample,
  { known: { absent } }: LineFacts,
): boolean {
  if (absent?.has(id) === true) return true;
  return Object.entries({ ...params, ...query }).some(([name, value]) => absent?.has(`${name}=${value}`) === true);
}

/** What only somebody without the right is answered; who reads the page may have it. */
const FORBIDDEN = 403;

/** The lines of the whole reference: every example of every row, but refusals that depend on who asks. */
export function pageLines(operations: readonly Operation[], facts: LineFacts): PageLines {
  const examplesOf = (row: Operation) =>
    row.examples
      .filter((example) => example.status !== FORBIDDEN)
      .filter((example) => example.status >= 400 || !isAbsent(row, example, facts))
      .map((example) => ({
        name: example.name,
        status: example.status,
        line: curlLine(row, example, facts),
      }));
  return {
    told: facts.known.told,
    signIn: credentialLines(operations, facts.baseUrl),
    examples: new Map(operations.map((row) => [row.id, examplesOf(row)])),
  };
}

/** What sets the variables of credentials; a key is made only where a row of the table takes one of ours. */
function credentialLines(operations: readonly Operation[], baseUrl: string): string {
  const takesKey = operations.some(({ auth }) => policiesOf(auth).includes(policies.apiKey));
  return [signInLines(baseUrl), ...(takesKey ? [keyLine(baseUrl)] : [])].join('\n');
}
