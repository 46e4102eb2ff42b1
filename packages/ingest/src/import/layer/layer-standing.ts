import { collectionOf, type ComputedPlace, invalidField, layerNamesOf, type NewItem } from '@headwater/core';
import { propertiesOfItem } from '@headwater/core/pipelines';
import type { CatalogStore } from '@headwater/core/ports';
import { sha256 } from '@headwater/core/values';
import type { StyleTexts } from '@headwater/layer-kit';
import type { ImportRequest } from '../shared/importer.ts';
import { digestOf } from '../shared/publish-import.ts';
import { IMPORT_DIGEST, importedItemId } from './layer-members.ts';
import type { LayerOptions } from './layer-options.ts';

interface Given {
  readonly options: LayerOptions;
  readonly place: ComputedPlace;
}

/** Text that is equal while a layer would be imported the same: its file, what is said of it, its styles and the place. */
export async function layerDigest(
  request: ImportRequest,
  { options, styles, place }: Given & { readonly styles: Partial<StyleTexts> },
): Promise<string> {
  const { styles: _paths, ...said } = options;
  return await sha256(JSON.stringify([await digestOf(request), said, styles.qml, styles.sld, place.clip]));
}

/** How a layer that is to be imported stands to what is published. */
export interface LayerStanding {
  /** It is shown already, just so. */
  readonly isShown: boolean;
  /** The Item of the layer that it takes the place of, where that is called otherwise. */
  readonly formerly: NewItem['formerly'];
}

/** Looks at what is published. Throws `validation` where another layer of the place has the Item that this one would have. */
export async function standingOf(
  { options, place, digest }: Given & { readonly digest: string },
  catalog: CatalogStore,
): Promise<LayerStanding> {
  const id = importedItemId(options, place.slugs);
  const collectionPath = collectionOf(place.slugs);
  const { layerName } = layerNamesOf(place.slugs, (of) => `${options.name}_${of}`);
  const layers = await catalog.layersOf(place.place.tehsil.id);
  const isThis = (layer: (typeof layers)[number]): boolean =>
    layer.workspace === options.workspace && layer.layerName === layerName;
  const other = layers.find((layer) => layer.itemId === id && !isThis(layer));
  if (other !== undefined)
    throw invalidField(
      'name',
      `layer ${other.workspace}:${other.layerName} has the Item ${id}; give this one another name.`,
    );
  const before = layers.find(isThis);
  const item = before === undefined ? undefined : await catalog.item(collectionPath, before.itemId);
  return {
    isShown: item !== undefined && propertiesOfItem(item.item)[IMPORT_DIGEST] === digest,
    formerly: before === undefined || before.itemId === id ? undefined : [{ collectionPath, id: before.itemId }],
  };
}
