import type { ExtensionName } from '../extensions.ts';
import type { Severity } from '../errors.ts';
import { isObject } from '../json.ts';

/**
 * By whose rules a document is checked. `stac`: STAC of anybody, by the rules of the official schemas (core and the extensions that are
 * known) and of GeoJSON; what else is amiss is a warning. `headwater`: this system's own documents, which need more: the interface
 * specification's ids, members, links and assets.
 */
export type Profile = 'stac' | 'headwater';

/** Every profile; the first is the one that `validate` takes where none is named. */
export const PROFILES: readonly [Profile, ...Profile[]] = ['stac', 'headwater'];

/** True for the name of a profile. */
export function isProfile(name: string): name is Profile {
  return PROFILES.some((profile) => profile === name);
}

/** Rules that this system asks of its own documents alone. */
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

/** Faults that the official schemas and readers of GeoJSON let pass: clients may stumble, the document conforms. */
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

/** Rules that came with STAC 1.1.0, wherever they apply. */
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

/** Common metadata that the schema of a Collection of 1.0.0 names for its outermost level. */
const OF_COLLECTION_1_0: ReadonlySet<string> = new Set(
  ['title', 'description', 'keywords', 'license', 'providers'].map((field) => `metadata.${field}`),
);

/** What decides how severe a fault is. */
export interface RatedFault {
  readonly rule: string;
  readonly got: unknown;
  readonly severity?: Severity;
}

/** What is asked of the document that a fault is in. */
export interface Asked {
  readonly type: unknown;
  readonly isOf10: boolean;
  /** True for an extension that it declares in the version that is known. */
  readonly declares: (name: ExtensionName) => boolean;
}

/** The severity of a fault by the profile `stac`; undefined for what is this system's own demand. */
export function severityInStac(fault: RatedFault, pointer: string, asked: Asked): Severity | undefined {
  const { rule, severity = 'error' } = fault;
  if (OF_HEADWATER.has(rule)) return undefined;
  if (severity !== 'error') return severity;
  const isUndeclared = rule.startsWith('alternate.') && !asked.declares('alternate');
  return isUndeclared ||
    ADVICE.has(rule) ||
    isOutsideSchemas(fault, pointer) ||
    (asked.isOf10 && isNewerThan10(fault, pointer, asked))
    ? 'warning'
    : 'error';
}

const isCommon = (rule: string): boolean => rule.startsWith('metadata.') || rule === 'datetime.range';

/** Places in which the schemas of 1.1.0 do not look for common metadata either. */
function isOutsideSchemas({ rule }: RatedFault, pointer: string): boolean {
  if (pointer.includes('/alternate/')) return isCommon(rule) && !/\.(?:title|description)$/.test(rule);
  return isCommon(rule) && pointer.includes('/raster:bands/');
}

/** True for a fault that the schemas of 1.0.0 do not know, which had common metadata in fewer places. */
function isNewerThan10(fault: RatedFault, pointer: string, { type, declares }: Asked): boolean {
  const { rule, got } = fault;
  if (extensionsThatLook(fault, pointer).some(declares)) return false;
  // The bands of the older raster extension are looked at by an extension, if by anybody.
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

/** Extensions whose schemas ask that each definition of `item_assets` is an object. */
const OF_DEFINITIONS = ['classification', 'processing', 'file', 'projection', 'version'] as const;
/** Bands that the raster extension looks into: those of a band in another one are not among them. */
const BANDS = /^(?:\/properties|\/(?:assets|item_assets)\/[^/]+)?\/bands(?:\/\d+)?$/;

/** Extensions whose schemas see a fault where the core of 1.0.0 does not look. */
function extensionsThatLook({ rule, got }: RatedFault, pointer: string): readonly ExtensionName[] {
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
