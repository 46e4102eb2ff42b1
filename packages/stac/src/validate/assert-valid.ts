import { StacError } from '../errors.ts';
import { isObject } from '../json.ts';
import { validateCatalog } from './catalog.ts';
import { validateCollection } from './collection.ts';
import { checkClasses, type RasterEvidence } from './classes.ts';
import { checkColumns, type Features } from './columns.ts';
import type { Finding } from '../errors.ts';
import { validateItem } from './item.ts';
import type { Profile } from './profile.ts';

/** Data that an Item is compared with. Absent members are not compared. */
export interface Evidence extends RasterEvidence {
  /** All features of a vector layer. */
  readonly features?: Features;
}

/** Options of `validate`. */
export interface ValidateOptions extends Evidence {
  /** Rules to apply: `stac` (default), or `headwater`. */
  readonly profile?: Profile;
}

/**
 * Returns all findings of a document, and does not throw. Unless `type` is Collection or Catalog, the document counts
 * as an Item.
 */
export function validate(value: unknown, { profile = 'stac', ...evidence }: ValidateOptions = {}): Finding[] {
  const type = isObject(value) ? value['type'] : undefined;
  if (type === 'Collection') return validateCollection(value, profile);
  if (type === 'Catalog') return validateCatalog(value, profile);
  const { features = [] } = evidence;
  const found = validateItem(value, profile);
  return isObject(value) ? [...found, ...checkColumns(value, features), ...checkClasses(value, evidence)] : found;
}

/** Throws `StacError` with all errors of an Item, Collection or Catalog. */
export function assertValid(value: unknown, profile: Profile): void {
  const errors = validate(value, { profile }).filter((finding) => finding.severity === 'error');
  if (errors.length === 0) return;
  const id = isObject(value) && typeof value['id'] === 'string' ? value['id'] : 'without id';
  const lines = errors.map((finding) => `- ${describeFinding(finding)}`);
  throw new StacError(
    `STAC document ${JSON.stringify(id)} has ${String(errors.length)} error(s):\n${lines.join('\n')}`,
    errors,
  );
}

/** A finding as one line: place, found and expected value, remedy, rule. */
export function describeFinding({ pointer, rule, got, expected, fix }: Finding): string {
  return `${pointer === '' ? '(document)' : pointer}: got ${got}, expected ${expected}; ${fix} [${rule}]`;
}
