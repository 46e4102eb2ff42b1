import { type MadeLayer, publishVectorLayer, type Shown, stepsLegend, type VectorLayerDraft } from '@headwater/core';
import { type Described, draftOf, type ItemWork } from './described.ts';

/** A vector layer to be published. */
export interface VectorDraft
  extends
    Described,
    Pick<VectorLayerDraft, 'features' | 'columns' | 'geometry' | 'style' | 'colors' | 'ground' | 'others'> {
  /** What the preview shows; left out: the steps of the style. */
  readonly shown?: Shown;
}

/** Publishes it (`publishVectorLayer`). */
export function writeVectorLayer(draft: VectorDraft, work: ItemWork): Promise<MadeLayer> {
  const { style, shown = { description: style.title, legend: stepsLegend(style) } } = draft;
  return publishVectorLayer({ ...draft, ...draftOf(draft, work), shown }, work);
}
