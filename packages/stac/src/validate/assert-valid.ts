import { StacError } from '../errors.ts';
import { isObject } from '../json.ts';
import { validateCatalog } from './catalog.ts';
import { validateCollection } from './collection.ts';
import { checkClasses, type RasterEvidence } from './classes.ts';
import { checkColumns, type FeatureLike } from './columns.ts';
import type { Finding } from '../finding.ts';
import { validateItem } from './item.ts';

/** What there is beside an Item to compare it with; what is not given is not compared. */
export interface Evidence extends RasterEvidence {
  /** All features of a vector layer. */
  readonly features?: Iterable<FeatureLike>;
}

/**
 * All findings of a document by its `type`: Collection, Catalog, and everything else as an Item, this with what the layer itself
 * shows where it is given. Does not throw.
 */
export function validate(value: unknown, evidence: Evidence = {}): Finding[] {
  const type = isObject(value) ? value['type'] : undefined;
  if (type === 'Collection') return validateCollection(value);
  if (type === 'Catalog') return validateCatalog(value);
  const { features = [] } = evidence;
  const found = validateItem(value);
  return isObject(value) ? [...found, ...checkColumns(value, features), ...checkClasses(value, evidence)] : found;
}

/** Returns silently when a document (Item, Collection, Catalog) has no `error`; throws `StacError` naming every one otherwise. */
export function assertValid(value: unknown): void {
  const errors = validate(value).filter((finding) => finding.severity === 'error');
  if (errors.length === 0) return;
  const id = isObject(value) && typeof value['id'] === 'string' ? value['id'] : 'without id';
  const lines = errors.map((finding) => `- ${describeFinding(finding)}`);
  throw new StacError(
    `STAC document ${JSON.stringify(id)} has ${String(errors.length)} fault(s):\n${lines.join('\n')}`,
    errors,
  );
}

/** One line for people: where, what stands there, what should, what to do. */
export function describeFinding({ pointer, rule, got, expected, fix }: Finding): string {
  return `${pointer === '' ? '(document)' : pointer}: got ${got}, expected ${expected}; ${fix} [${rule}]`;
}
