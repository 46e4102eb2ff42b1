import { DomainError } from '../errors.ts';
import type { Deliverable } from '../ports/runs.ts';
import type { ItemCheck } from './types.ts';

/** Throws `internal`, naming the rules, when an Item does not conform: nothing of the run is published then. */
export function checkItems(items: Deliverable['items'], checkItem: ItemCheck): void {
  for (const { id, item } of items) {
    const faults = checkItem(item).filter((finding) => finding.severity === 'error');
    if (faults.length === 0) continue;
    const rules = faults.map(({ rule, pointer }) => `${rule} at ${pointer === '' ? 'the root' : pointer}`).join('; ');
    const message = `Item ${id} breaks ${rules}. Nothing was published; this is a defect of the pipeline, please report it.`;
    throw new DomainError('internal', message);
  }
}
