import type { CollectionRecord } from '@headwater/core/ports';
import {
  type BuildOptions,
  collectionId,
  type CollectionInput,
  type Extent,
  memberFields,
  type NonEmpty,
} from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import { wireName } from '../../../wire/names.ts';
import type { TitleOf } from '../../../items/place-titles.ts';

/** Documents are built for each request, of what was validated when it was published or configured. */
export const OF_PUBLISHED: BuildOptions = { validate: false };

/** Levels of the tree from above. */
export const COLLECTION_LEVELS = ['state', 'district', 'tehsil'] as const;
/** Of a Collection none of whose Items has a box and times; a Collection must have an extent. */
const WHOLE_WORLD: Extent = { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[null, null]] } };

/** What a Collection says of itself wherever its document stands: all but the links of a tree. */
export function collectionMembers(
  deps: Ports<'publication' | 'pipelines'>,
  { record, titleOf }: { readonly record: CollectionRecord; readonly titleOf: TitleOf },
): Omit<CollectionInput, 'self' | 'root' | 'parent' | 'bbox'> {
  const { path, extent, members } = record;
  const level = COLLECTION_LEVELS[path.split('/').length - 1] ?? 'tehsil';
  const { license, licenseUrl, providers } = deps.publication;
  return {
    id: collectionId(path),
    title: titleOf(path),
    description: `STAC collection for data of ${wireName(level)} ${path.split('/').toReversed().join(', ')}`,
    links: [{ rel: 'license', href: licenseUrl, title: license, type: 'text/html' }],
    keywords: keywordsOf(deps, path),
    license,
    providers,
    extent: extent ?? WHOLE_WORLD,
    ...memberFields(members),
  };
}

/** What the pipelines say their layers are about, and the place. */
function keywordsOf({ pipelines }: Ports<'pipelines'>, path: string): NonEmpty<string> {
  const others = new Set([...pipelines.flatMap(({ keywords = [] }) => keywords), ...path.split('/')]);
  others.delete('tehsil');
  return ['tehsil', ...others];
}
