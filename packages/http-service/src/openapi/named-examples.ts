import type { OpenApiExample } from './document.ts';
import type { OperationExample } from '../rows/operation.ts';

/** Examples of a row as OpenAPI has them: by name, each with what it is answered. */
export function namedExamples(
  given: readonly { readonly example: OperationExample; readonly value: unknown }[],
): Readonly<Record<string, OpenApiExample>> {
  return Object.fromEntries(
    given.map(({ example, value }) => [example.name, { summary: `answers ${example.status}`, value }]),
  );
}
