import { StacError } from '../errors.ts';
import { isObject } from '../json.ts';
import { validateCatalog } from './catalog.ts';
import { validateCollection } from './collection.ts';
import { checkClasses, type RasterEvidence } from './classes.ts';
import { checkColumns, type Features } from './columns.ts';
import type { Finding } from '../errors.ts';
import { validateItem } from './item.ts';
import type { Profile } from './profile.ts';

/** Data of the layer with which an Item is compared. Absent members are not compared. */
export interface Evidence extends RasterEvidence {
  /** All features of a vector layer, as a list or a FeatureCollection. */
  readonly features?: Features;
}

/** Options of `validate`. */
export interface ValidateOptions extends Evidence {
  /** Rules to apply: `stac` (default), or `headwater` for Headwater's own documents. */
  readonly profile?: Profile;
}

/**
 * Returns all findings of a document. A document whose `type` is Collection or Catalog is validated as such; any other
 * document is validated as an Item. An Item is also compared with the layer's data, if they are passed. Does not throw.
 */
export function validate(value: unknown, { profile = 'stac', ...evidence }: ValidateOptions = {}): Finding[] {
  const type = isObject(value) ? value['type'] : undefined;
  if (type === 'Collection') return validateCollection(value, profile);
  if (type === 'Catalog') return validateCatalog(value, profile);
  const { features = [] } = evidence;
  const found = validateItem(value, profile);
  return isObject(value) ? [...found, ...checkColumns(value, features), ...checkClasses(value, evidence)] : found;
}

/**
 * Throws `StacError` if a document (Item, Collection or Catalog) has errors by the rules of a profile. The message
 * lists every `error`.
 */
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

/** A finding as one line: place, value found, value expected, remedy and rule. */
export function describeFinding({ pointer, rule, got, expected, fix }: Finding): string {
  return `${pointer === '' ? '(document)' : pointer}: got ${got}, expected ${expected}; ${fix} [${rule}]`;
}
