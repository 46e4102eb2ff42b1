import { policies, policiesOf, type Policy, type SecurityScheme } from '@headwater/identity';
import type { Operation } from '../rows/operation.ts';

/** Policies that the table names, ours first; those that OpenAPI has a word for become its security schemes. */
export function securitySchemes(operations: readonly Operation[]): Readonly<Record<string, SecurityScheme>> {
  const all = [policies.bearer, ...policiesIn(operations)];
  return Object.fromEntries(all.flatMap(({ name, scheme }) => (scheme === undefined ? [] : [[name, scheme] as const])));
}

/** Every policy of the table, each value once. */
export function policiesIn(operations: readonly Operation[]): readonly Policy[] {
  return [...new Set(operations.flatMap(({ auth }) => policiesOf(auth)))];
}
