import type { Deliverable } from '../ports/runs.ts';

/** Ids of the tehsils with layers, tables or series in a publication, each once, ascending. */
export function publishedTehsils({ layers, tables = [], series = [] }: Deliverable): readonly number[] {
  const ids = [...layers, ...tables, ...series].map(({ tehsilId }) => tehsilId);
  return [...new Set(ids)].sort((a, b) => a - b);
}
