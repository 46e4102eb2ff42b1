import type { Cql2Expression } from './model/expression.ts';

/** Names of a filter's properties, each once, in the order of their first use. */
export function propertiesOf(expression: Cql2Expression): readonly string[] {
  const names = new Set<string>();
  const waiting: unknown[] = [expression];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...next.toReversed());
    else if (typeof next === 'object' && next !== null) {
      if ('property' in next && typeof next.property === 'string') names.add(next.property);
      else if ('interval' in next) waiting.push(next.interval);
      else if ('args' in next) waiting.push(next.args);
    }
  }
  return [...names];
}
