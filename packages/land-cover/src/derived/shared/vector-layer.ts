import {
  type FeatureRow,
  type MadeLayer,
  publishVectorLayer,
  type Shown,
  stepsLegend,
  type VectorLayerDraft,
} from '@headwater/layer-kit';
import { type Described, draftOf, type ItemWork } from './described.ts';

/** A vector layer to be published, whose features have properties `Row`. */
export interface VectorDraft<Row extends FeatureRow = FeatureRow>
  extends
    Described,
    Pick<VectorLayerDraft<Row>, 'features' | 'columns' | 'geometry' | 'style' | 'colors' | 'ground' | 'others'> {
  /** What the preview shows; left out: the steps of the style. */
  readonly shown?: Shown;
}

/** Publishes it (`publishVectorLayer`). */
export function writeVectorLayer<Row extends FeatureRow>(draft: VectorDraft<Row>, work: ItemWork): Promise<MadeLayer> {
  const { style, shown = { description: style.title, legend: stepsLegend(style) } } = draft;
  return publishVectorLayer({ ...draft, ...draftOf(draft, work), shown }, work);
}
