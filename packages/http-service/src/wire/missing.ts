import { isObject } from '@headwater/core/values';
import type { DomainError } from '@headwater/core';
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
  const needs = listed.filter(isObject);
  const missing = needs.map(wireMissing);
  if (missing.length === 0) return { message, members: details };
  // Years of one layer have one maker: its request is told once.
  const alike = Map.groupBy(needs, ({ isOfOtherBoundary, route, request, remedy }) =>
    JSON.stringify([isOfOtherBoundary, route, request, remedy]),
  );
  const told = [...alike.values()].map(toldOf);
  const canBeMade = missing.every(({ made_by: by }) => by !== null);
  const remedy = canBeMade ? ['Or send with_dependencies=true: then what is missing is made first.'] : [];
  return { message: [...told, ...remedy].join(' '), members: { missing } };
}

/** A sentence for all that one request makes, or that nothing makes. */
function toldOf(needs: readonly Readonly<Record<string, unknown>>[]): string {
  const [first = {}] = needs;
  const { isOfOtherBoundary, remedy } = first;
  const by = wireMissing(first).made_by;
  const names = needs.map((need) => wireMissing(need).name).join(', ');
  const [are, were, them] = needs.length === 1 ? ['is', 'was', 'it'] : ['are', 'were', 'them'];
  const lack = isOfOtherBoundary === true ? `${were} made for another boundary than today's` : `${are} missing`;
  if (by !== null) return `${names} ${lack}; POST ${by.path} with ${JSON.stringify(by.body)} makes ${them}.`;
  const way = typeof remedy === 'string' ? remedy : 'Ask its operator.';
  return `${names} ${lack}, and no route of this service makes ${them}. ${way}`;
}

function wireMissing(missing: Readonly<Record<string, unknown>>): WireMissing {
  const { name, kind, route, request } = missing;
  const made =
    typeof route === 'string'
      ? { method: 'POST' as const, path: computePath(route), body: exampleBody(request) }
      : null;
  return { name: String(name), kind: String(kind), made_by: made };
}
