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

/** Options without validation, because all published data were validated before. */
export const OF_PUBLISHED: BuildOptions = { validate: false };

/** Levels of the tree, from the top. */
export const COLLECTION_LEVELS = ['state', 'district', 'tehsil'] as const;
/** Extent for a Collection whose Items have no box or times, because STAC requires an extent. */
const WHOLE_WORLD: Extent = { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[null, null]] } };

/** Members of a Collection's document, without the links to other STAC documents. */
export function collectionMembers(
  deps: Ports<'publication' | 'pipelines'>,
  { record, titleOf }: { readonly record: CollectionRecord; readonly titleOf: TitleOf },
): Omit<CollectionInput, 'self' | 'root' | 'parent' | 'bbox'> {
  const { path, extent, members } = record;
  const level = COLLECTION_LEVELS[path.split('/').length - 1] ?? 'tehsil';
  const { license, licenseUrl, providers } = deps.publication;
  const [provider, ...others] = providers;
  return {
    id: collectionId(path),
    title: titleOf(path),
    description: `STAC collection for data of ${wireName(level)} ${path.split('/').toReversed().join(', ')}`,
    links: licenseUrl === undefined ? [] : [{ rel: 'license', href: licenseUrl, title: license, type: 'text/html' }],
    keywords: keywordsOf(deps, path),
    license,
    ...(provider === undefined ? {} : { providers: [provider, ...others] }),
    extent: extent ?? WHOLE_WORLD,
    ...memberFields(members),
  };
}

function keywordsOf({ pipelines }: Ports<'pipelines'>, path: string): NonEmpty<string> {
  const others = new Set([...pipelines.flatMap(({ keywords = [] }) => keywords), ...path.split('/')]);
  others.delete('tehsil');
  return ['tehsil', ...others];
}
