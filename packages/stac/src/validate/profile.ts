import type { ExtensionName } from '../extensions.ts';
import type { Severity } from '../errors.ts';
import { isObject } from '../json.ts';

/**
 * Rules for checking a document. `stac` is for any STAC document: violations of the official schemas (core and the
 * supported extensions) and of GeoJSON are errors, other problems are warnings. `headwater` is for Headwater's own
 * documents: it adds the interface specification's rules on ids, members, links and assets.
 */
export type Profile = 'stac' | 'headwater';

/** All profiles; the first is the default of `validate`. */
export const PROFILES: readonly [Profile, ...Profile[]] = ['stac', 'headwater'];

/** True for the name of a profile. */
export function isProfile(name: string): name is Profile {
  return PROFILES.some((profile) => profile === name);
}

/** Rules that only the profile `headwater` has. */
const OF_HEADWATER: ReadonlySet<string> = new Set([
  'id.pattern',
  'links.parent-is-collection',
  'properties.title',
  'properties.description',
  'properties.keywords',
  'raster.values',
  'table.declared',
  'table.columns-missing',
  'table.raster',
]);

/**
 * Rules that neither the official schemas nor readers of GeoJSON have. Violations are only warnings: a document that breaks these rules
 * conforms, but causes problems for some clients.
 */
const ADVICE: ReadonlySet<string> = new Set([
  'bbox.matches-geometry',
  'geometry.ring-area',
  'geometry.ring-orientation',
  'geometry.self-intersection',
  'links.collection-twice',
  'links.parent-twice',
  'links.root-twice',
  'links.self-twice',
  'nodata.data-type',
]);

/** Rules that are new in STAC 1.1.0. */
const SINCE_1_1: ReadonlySet<string> = new Set([
  'bands.band',
  'bands.list',
  'bands.place',
  'item_assets',
  'item_assets.object',
  'links.headers',
  'links.method',
  'metadata.data_type',
  'metadata.nodata',
  'metadata.statistics',
  'metadata.unit',
]);

/** Rules for the common metadata that the 1.0.0 schema of Collections checks at the top level. */
const OF_COLLECTION_1_0: ReadonlySet<string> = new Set(
  ['title', 'description', 'keywords', 'license', 'providers'].map((field) => `metadata.${field}`),
);

/** Parts of a fault that determine its severity. */
export interface RatedFault {
  readonly rule: string;
  readonly got: unknown;
  readonly severity?: Severity;
}

/** Properties of the document that determine the severity of its faults. */
export interface DocumentTraits {
  readonly type: unknown;
  readonly isV100: boolean;
  /** True for an extension that the document declares in the version that this package supports. */
  readonly declares: (name: ExtensionName) => boolean;
}

/** The severity of a fault by the profile `stac`; undefined for a rule that only the profile `headwater` has. */
export function severityInStac(fault: RatedFault, pointer: string, traits: DocumentTraits): Severity | undefined {
  const { rule, severity = 'error' } = fault;
  if (OF_HEADWATER.has(rule)) return undefined;
  if (severity !== 'error') return severity;
  const isUndeclared = rule.startsWith('alternate.') && !traits.declares('alternate');
  return isUndeclared ||
    ADVICE.has(rule) ||
    isOutsideSchemas(fault, pointer) ||
    (traits.isV100 && isNewerThanV100(fault, pointer, traits))
    ? 'warning'
    : 'error';
}

const isCommon = (rule: string): boolean => rule.startsWith('metadata.') || rule === 'datetime.range';

/** True for places where not even the schemas of 1.1.0 check common metadata. */
function isOutsideSchemas({ rule }: RatedFault, pointer: string): boolean {
  if (pointer.includes('/alternate/')) return isCommon(rule) && !/\.(?:title|description)$/.test(rule);
  return isCommon(rule) && pointer.includes('/raster:bands/');
}

/**
 * True for a fault that the schemas of 1.0.0 do not report, because they check common metadata in fewer places than the
 * schemas of 1.1.0.
 */
function isNewerThanV100(fault: RatedFault, pointer: string, { type, declares }: DocumentTraits): boolean {
  const { rule, got } = fault;
  if (checkingExtensions(fault, pointer).some(declares)) return false;
  // Bands of the older raster extension are excluded: neither core schema checks them, so their rules are not newer.
  if (SINCE_1_1.has(rule)) return !(rule.startsWith('bands.') && pointer.includes('/raster:bands'));
  if (pointer.startsWith('/item_assets/')) return isCommon(rule) || rule === 'assets.type';
  if (!isCommon(rule)) return false;
  if (pointer.startsWith('/links/') || pointer.includes('/bands/')) return true;
  const depth = pointer.split('/').length - 1;
  if (depth < 2 && type === 'Catalog') return rule !== 'metadata.title';
  if (depth < 2 && type === 'Collection') return !OF_COLLECTION_1_0.has(rule);
  if (rule === 'metadata.roles') return !pointer.startsWith('/assets/');
  return rule === 'metadata.keywords' || (rule === 'metadata.description' && got === '');
}

/** Extensions whose schemas require each definition of `item_assets` to be an object. */
const OF_DEFINITIONS = ['classification', 'processing', 'file', 'projection', 'version'] as const;
/**
 * Places of bands that the schema of the raster extension checks. Bands within bands are not checked by this schema.
 */
const BANDS = /^(?:\/properties|\/(?:assets|item_assets)\/[^/]+)?\/bands(?:\/\d+)?$/;

/** Extensions whose schemas report this fault although the core schema of 1.0.0 does not check its place. */
function checkingExtensions({ rule, got }: RatedFault, pointer: string): readonly ExtensionName[] {
  switch (rule) {
    case 'item_assets.object':
      return [...OF_DEFINITIONS, 'alternate'];
    case 'item_assets':
      return isObject(got) ? [] : [...OF_DEFINITIONS, 'raster'];
    case 'bands.list':
      return BANDS.test(pointer) ? ['raster'] : [];
    case 'bands.band':
      return BANDS.test(pointer) && !isObject(got) ? ['raster'] : [];
    case 'metadata.title':
    case 'metadata.description':
      return pointer.includes('/alternate/') && typeof got !== 'string' ? ['alternate'] : [];
    default:
      return [];
  }
}
