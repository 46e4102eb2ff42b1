import { StacError } from '../errors.ts';
import { isObject } from '../json.ts';
import { validateCatalog } from './catalog.ts';
import { validateCollection } from './collection.ts';
import { checkClasses, type RasterEvidence } from './classes.ts';
import { checkColumns, type Features } from './columns.ts';
import type { Finding } from '../errors.ts';
import { validateItem } from './item.ts';
import type { Profile } from './profile.ts';

/** What there is beside an Item to compare it with; what is not given is not compared. */
export interface Evidence extends RasterEvidence {
  /** All features of a vector layer, or the FeatureCollection that holds them. */
  readonly features?: Features;
}

/** How a document is checked. */
export interface ValidateOptions extends Evidence {
  /** By whose rules: `stac` unless it is given; `headwater` for what this system itself makes. */
  readonly profile?: Profile;
}

/**
 * All findings of a document by its `type`: Collection, Catalog, and everything else as an Item, this with what the layer itself
 * shows where it is given. Does not throw.
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
 * Returns silently when a document (Item, Collection, Catalog) has no `error` by the rules of a profile; throws `StacError` naming every one
 * otherwise.
 */
export function assertValid(value: unknown, profile: Profile): void {
  const errors = validate(value, { profile }).filter((finding) => finding.severity === 'error');
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
