import type { ExtensionName } from '../extensions.ts';
import type { Severity } from '../errors.ts';
import { isObject } from '../json.ts';

/** Rules for a document. `stac`: STAC and GeoJSON; `headwater`: also the interface specification. */
export type Profile = 'stac' | 'headwater';

/** All profiles; the first is the default of `validate`. */
export const PROFILES: readonly [Profile, ...Profile[]] = ['stac', 'headwater'];

/** True for the name of a profile. */
export function isProfile(name: string): name is Profile {
  return PROFILES.some((profile) => profile === name);
}

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

/** A document that breaks these rules conforms, but causes problems for some clients. */
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

const OF_COLLECTION_1_0: ReadonlySet<string> = new Set(
  ['title', 'description', 'keywords', 'license', 'providers'].map((field) => `metadata.${field}`),
);

/** Parts of a fault that determine the severity. */
export interface RatedFault {
  readonly rule: string;
  readonly got: unknown;
  readonly severity?: Severity;
}

/** Properties of a document that determine the severity of faults. */
export interface DocumentTraits {
  readonly type: unknown;
  readonly isV100: boolean;
  /** True if the document declares the supported version of the extension. */
  readonly declares: (name: ExtensionName) => boolean;
}

/** Severity in the profile `stac`; undefined for a rule of `headwater` only. */
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

/** True for places that not even the schemas of 1.1.0 check. */
function isOutsideSchemas({ rule }: RatedFault, pointer: string): boolean {
  if (pointer.includes('/alternate/')) return isCommon(rule) && !/\.(?:title|description)$/.test(rule);
  return isCommon(rule) && pointer.includes('/raster:bands/');
}

/**
 * True for a fault that the schemas of 1.0.0 do not report. They have fewer rules, and check fewer places, than those
 * of 1.1.0.
 */
function isNewerThanV100(fault: RatedFault, pointer: string, { type, declares }: DocumentTraits): boolean {
  const { rule, got } = fault;
  if (checkingExtensions(fault, pointer).some(declares)) return false;
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

/** Extensions that require an object for each definition of `item_assets`. */
const OF_DEFINITIONS = ['classification', 'processing', 'file', 'projection', 'version'] as const;
/** Bands that the raster schema checks; bands in bands are not checked. */
const BANDS = /^(?:\/properties|\/(?:assets|item_assets)\/[^/]+)?\/bands(?:\/\d+)?$/;

/** Extensions whose schemas report a fault that the core schema of 1.0.0 does not report. */
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
