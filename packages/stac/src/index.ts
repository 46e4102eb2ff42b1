export { isStacError, StacError } from './errors.ts';
export { EXTENSIONS, type ExtensionName } from './extensions.ts';
export { FILE_MEDIA_TYPES, MEDIA, mediaTypeOfFile } from './media-types.ts';
export { compareInstants, instant, isUtcText, parseInstant, toUtc, type Instant } from './instant.ts';
export { isObject, type Json, type JsonObject, type NonEmpty } from './json.ts';
export { multihash, isMultihash } from './multihash.ts';
export { contentHash, stacText } from './text/stac-text.ts';
export { idSlug, isSlug, layerSlug, placeSlug } from './ids/slug.ts';
export { collectionId, collectionPath, itemId, type ItemId, type ItemIdParts } from './ids/item-id.ts';
export { bboxOf, joinBboxes } from './geometry/bbox.ts';
export { isClosed, normalizeGeometry, signedArea } from './geometry/rings.ts';
export type { Bbox, Geometry, GeometryLike, PositionLike } from './geometry/types.ts';
export * from './types.ts';
export type * from './builder/columns.ts';
export type * from './builder/inputs.ts';
export { rasterItem, tabularRasterItem } from './builder/raster-item.ts';
export { columnsOf } from './builder/table.ts';
export { vectorItem } from './builder/vector-item.ts';
export { extentOf, joinExtents } from './builder/extent.ts';
export { joinMembers, memberFields, membersOf, type MemberFields, type Members } from './builder/members.ts';
export {
  buildCatalog,
  buildCollection,
  type CatalogInput,
  type CollectionInput,
  type NodeInput,
  type Place,
} from './builder/catalog.ts';
export type { BuildOptions } from './builder/finish-document.ts';
export type { Finding, Severity } from './errors.ts';
export { validateItem } from './validate/item.ts';
export { validateCollection } from './validate/collection.ts';
export { validateCatalog } from './validate/catalog.ts';
export {
  assertValid,
  describeFinding,
  validate,
  type Evidence,
  type ValidateOptions,
} from './validate/assert-valid.ts';
export { isProfile, PROFILES, type Profile } from './validate/profile.ts';
export { checkClasses, type RasterEvidence } from './validate/classes.ts';
export type { Repair } from './repair/draft.ts';
export { repairItem, type Repaired } from './repair/repair-item.ts';
export { lintTree } from './lint/lint-tree.ts';
export {
  addressOf,
  foundAt,
  hasItemsOnPagesOnly,
  linksOf,
  linkTitleOf,
  unresolvedLinksOf,
  titleOf,
  type UnresolvedLink,
  type Tree,
  type TreeFinding,
  type TreeLink,
} from './lint/tree.ts';
export { checkColumns, type FeatureLike, type Features } from './validate/columns.ts';
