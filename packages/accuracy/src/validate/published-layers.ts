import { type LayerRecord, nearNames, type PublishedReads } from '@headwater/core';
import type { ValidateParams } from './request.ts';

/** Most layers that a refusal lists; beyond it the Items of the tehsil are the better list. */
const MOST_LISTED = 5;

/** What to say of a layer that is not published and that nothing makes: the tehsil's raster layers of like names, or all of them. */
export async function remedyOf(
  { tehsilId, workspace, layerName }: ValidateParams,
  published: Pick<PublishedReads, 'layer' | 'layersOf'>,
): Promise<{ readonly remedy?: string }> {
  if ((await published.layer(workspace, layerName)) !== undefined) return {};
  const layers = (await published.layersOf(tehsilId)).filter(({ layerType }) => layerType === 'raster');
  if (layers.length === 0) return { remedy: 'No raster layer of this tehsil is published yet; compute one first.' };
  const wanted = nearNames(
    layerName,
    layers.map((layer) => layer.layerName),
  );
  const near = wanted.flatMap((name) => layers.filter((layer) => layer.layerName === name));
  if (near.length > 0) return { remedy: `Did you mean ${near.map(written).join(' or ')}?` };
  const listed = layers.slice(0, MOST_LISTED).map(written).join(', ');
  const more =
    layers.length > MOST_LISTED ? ` and ${layers.length - MOST_LISTED} more; the Items of the tehsil name them` : '';
  return { remedy: `Raster layers of this tehsil: ${listed}${more}.` };
}

/** As the asset `data` of an Item writes it. */
const written = ({ workspace, layerName }: LayerRecord): string => `${workspace}:${layerName}`;
