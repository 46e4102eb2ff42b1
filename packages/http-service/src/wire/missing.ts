import { isObject, type DomainError } from '@headwater/core';
import { exampleBody } from './example-body.ts';
import { computePath } from './paths.ts';
import type { Words } from './words.ts';

/** Something that is missing, on the wire; `made_by` is null where nothing of this service makes it. */
interface WireMissing {
  readonly name: string;
  readonly kind: string;
  readonly made_by: { readonly method: 'POST'; readonly path: string; readonly body: object } | null;
}

/** What is missing, with the requests that make it. A run's own failure lists nothing: its message is told as it is. */
export function missingWords({ message, details }: DomainError): Words | undefined {
  const listed: readonly unknown[] = Array.isArray(details['missing']) ? details['missing'] : [];
  const missing = listed.filter(isObject).map(wireMissing);
  if (missing.length === 0) return { message, members: details };
  const remedies = listed
    .filter(isObject)
    .map(({ remedy }) => (typeof remedy === 'string' ? remedy : 'Ask its operator.'));
  const told = missing.map(({ name, made_by: by }, index) =>
    by === null
      ? `${name} is missing, and no route of this service makes it. ${remedies[index]}`
      : `${name} is missing; POST ${by.path} with ${JSON.stringify(by.body)} makes it.`,
  );
  const canBeMade = missing.every(({ made_by: by }) => by !== null);
  const remedy = canBeMade ? ['Or send with_dependencies=true: then what is missing is made first.'] : [];
  return { message: [...told, ...remedy].join(' '), members: { missing } };
}

function wireMissing(missing: Readonly<Record<string, unknown>>): WireMissing {
  const { name, kind, route, request } = missing;
  const made =
    typeof route === 'string'
      ? { method: 'POST' as const, path: computePath(route), body: exampleBody(request) }
      : null;
  return { name: String(name), kind: String(kind), made_by: made };
}
