import { StacError } from '../errors.ts';
import { EXTENSIONS, PREFIX_OWNER, type ExtensionName } from '../extensions.ts';
import { bboxOf } from '../geometry/bbox.ts';
import { jumpsAntimeridian } from '../geometry/jump.ts';
import { rounded } from '../geometry/precision.ts';
import { normalizeGeometry } from '../geometry/rings.ts';
import { isSlug } from '../ids/slug.ts';
import { compareInstants } from '../instant.ts';
import { STAC_VERSION, type Assets, type ItemOf, type ItemProperties } from '../types.ts';
import type { ItemInput } from './inputs.ts';
import { filledText, itemLinks } from './links.ts';
import { finishDocument, ownCopy } from './finish-document.ts';

/** Parts that a kind of layer adds to an Item. `F`: extension that identifies the kind; `D`: media type of the data. */
export interface ItemParts<X, F extends ExtensionName = ExtensionName, D extends string = string> {
  readonly extensions: readonly [F, ...ExtensionName[]];
  readonly properties: X;
  readonly assets: Assets<D>;
}

/**
 * Joins the members that all Items have with the members of one kind of layer. Throws `StacError` with the invalid
 * field.
 */
export function assembleItem<X extends object, F extends ExtensionName, D extends string>(
  input: ItemInput,
  parts: ItemParts<X, F, D>,
): ItemOf<ItemProperties & X, (typeof EXTENSIONS)[F], D> {
  if (!isSlug(input.id))
    throw new StacError(`id: ${JSON.stringify(input.id)} is not safe in a path; make it with itemId()`);
  // This call comes first, because it also checks the nesting of coordinates, which `jumpsAntimeridian` relies on.
  const normalized = normalizeGeometry(input.geometry);
  if (jumpsAntimeridian(input.geometry))
    throw new StacError(
      'geometry: it crosses the antimeridian but is not cut there; cut it (repairItem does this). If it is not meant to cross the antimeridian, reverse its rings, because its exterior is clockwise',
    );
  const geometry = normalizeGeometry(rounded(normalized));
  const [first, ...further] = parts.extensions;
  return finishDocument({
    type: 'Feature',
    stac_version: STAC_VERSION,
    stac_extensions: [EXTENSIONS[first], ...declared(input, { ...parts, further }).map((name) => EXTENSIONS[name])],
    id: input.id,
    geometry,
    bbox: bboxOf(geometry),
    properties: { ...commonProperties(input), ...parts.properties, ...ownProperties(input) },
    links: itemLinks(input),
    assets: parts.assets,
    collection: filledText(input.collection.id, 'collection.id'),
  });
}

/** Extensions that the Item uses, except the first, which identifies the kind of layer. */
function declared(
  input: ItemInput,
  { assets, further }: { readonly assets: Assets; readonly further: readonly ExtensionName[] },
): readonly ExtensionName[] {
  const hasFiles = Object.values(assets).some((asset) => asset['file:checksum'] !== undefined);
  return [
    ...further,
    ...(hasFiles ? (['file'] as const) : []),
    'processing',
    ...(input.version === undefined ? [] : (['version'] as const)),
  ];
}

function commonProperties(input: ItemInput): ItemProperties {
  if (compareInstants(input.start, input.end) > 0) {
    throw new StacError(`end: ${input.end} is before start ${input.start}; exchange them`);
  }
  const { created, updated, license, version, providers, attribution } = input;
  return {
    title: filledText(input.title, 'title'),
    description: filledText(input.description, 'description'),
    start_datetime: input.start,
    end_datetime: input.end,
    datetime: input.published,
    ...(created === undefined ? {} : { created }),
    ...(updated === undefined ? {} : { updated }),
    keywords: [...input.keywords],
    ...(license === undefined ? {} : { license }),
    ...(providers === undefined ? {} : { providers: ownCopy([...providers], '/properties/providers') }),
    ...(version === undefined ? {} : { version: filledText(version, 'version') }),
    ...(attribution === undefined ? {} : { attribution: filledText(attribution, 'attribution') }),
    ...processingProperties(input),
  };
}

function processingProperties({
  processing,
}: ItemInput): Pick<ItemProperties, 'processing:lineage' | 'processing:software'> {
  const { version, datetime, expression } = processing;
  return {
    'processing:lineage': filledText(processing.lineage, 'processing.lineage'),
    'processing:software': { ...processing.software },
    ...(version === undefined ? {} : { 'processing:version': version }),
    ...(datetime === undefined ? {} : { 'processing:datetime': datetime }),
    ...(expression === undefined
      ? {}
      : { 'processing:expression': ownCopy(expression, '/properties/processing:expression') }),
  };
}

function ownProperties(input: ItemInput): Record<`${string}:${string}`, unknown> {
  const extra = ownCopy(input.extra ?? {}, '/properties');
  for (const key of Object.keys(extra)) {
    const prefix = /^([a-z][a-z0-9_-]*):./.exec(key)?.[1];
    if (prefix === undefined || PREFIX_OWNER.has(prefix)) {
      throw new StacError(
        `extra: ${JSON.stringify(key)} needs a prefix of your own, such as headwater:${key.split(':').at(-1) ?? key}`,
      );
    }
  }
  return extra;
}
