import { yearsText } from '../pages/words.ts';
import type { LayerSummary } from '../layers/layer-summaries.ts';

/** Short label of a layer in a list: `2022-2023` or `Vector 2022-2023`; without years `Map` or `Vector`. */
export function labelOf({ start, end, isVector }: Pick<LayerSummary, 'start' | 'end' | 'isVector'>): string {
  const years = start === end ? '' : yearsText(start, end);
  if (!isVector) return years === '' ? 'Map' : years;
  return years === '' ? 'Vector' : `Vector ${years}`;
}

/** Returns the layers of one run. If two labels are equal, all labels become titles without place and years. */
export function withDistinctLabels<L extends { readonly title: string; readonly label: string }>(
  layers: readonly L[],
  place: string,
): readonly L[] {
  if (new Set(layers.map(({ label }) => label)).size === layers.length) return layers;
  return layers.map((layer) => ({ ...layer, label: layer.title.split(` of ${place}`)[0] ?? layer.title }));
}
