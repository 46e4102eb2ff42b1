import type { Deliverable } from '../ports/runs.ts';

/** Ids of the tehsils of which a publication has layers, tables or series, each once, ascending. */
export function publishedTehsils({ layers, tables = [], series = [] }: Deliverable): readonly number[] {
  const ids = [...layers, ...tables, ...series].map(({ tehsilId }) => tehsilId);
  return [...new Set(ids)].sort((a, b) => a - b);
}
