import { policies, policiesOf } from '@headwater/identity';
import type { Operation, OperationExample } from '../../rows/operation.ts';
import type { PageLines } from './page/docs-page.ts';
import { signInLines } from '../../pages/shell-word.ts';
import { curlCommand, keyLine, type LineFacts } from './curl-command.ts';

function isAbsent(
  { id }: Operation,
  { params = {}, query = {} }: OperationExample,
  { known: { absent } }: LineFacts,
): boolean {
  if (absent?.has(id) === true) return true;
  return Object.entries({ ...params, ...query }).some(([name, value]) => absent?.has(`${name}=${value}`) === true);
}

/** Refusals for a missing right are left out, because the reader may have this right. */
const FORBIDDEN = 403;

/**
 * Shell commands of the examples. Left out are successful examples whose data are absent, and refusals for a missing
 * right.
 */
export function exampleCommands(operations: readonly Operation[], facts: LineFacts): PageLines {
  const examplesOf = (row: Operation) =>
    row.examples
      .filter((example) => example.status !== FORBIDDEN)
      .filter((example) => example.status >= 400 || !isAbsent(row, example, facts))
      .map((example) => ({
        name: example.name,
        status: example.status,
        line: curlCommand(row, example, facts),
      }));
  return {
    note: facts.known.note,
    signIn: credentialLines(operations, facts.baseUrl),
    examples: new Map(operations.map((row) => [row.id, examplesOf(row)])),
  };
}

/** Commands that set the credential variables. An API key is created only if an operation accepts one. */
function credentialLines(operations: readonly Operation[], baseUrl: string): string {
  const takesKey = operations.some(({ auth }) => policiesOf(auth).includes(policies.apiKey));
  return [signInLines(baseUrl), ...(takesKey ? [keyLine(baseUrl)] : [])].join('\n');
}
