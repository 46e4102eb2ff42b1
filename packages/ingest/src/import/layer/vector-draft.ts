import { stepsLegend, type StyleTexts, type VectorLayerDraft, type VectorStyle } from '@headwater/layer-kit';
import type { ImportedItem } from './layer-members.ts';
import { importedDraft } from './layer-members.ts';
import type { ReadVector } from './read-vector.ts';

const GREENS = ['#edf8e9', '#bae4b3', '#74c476', '#31a354', '#006d2c'] as const;
const PLAIN = '#31a354';

/** An imported vector layer, to be published. */
export function vectorDraft(item: ImportedItem, read: ReadVector, styleTexts: Partial<StyleTexts>): VectorLayerDraft {
  const style = styleOf(item.options.title, read);
  const draft = importedDraft(item);
  return {
    ...draft,
    features: read.features,
    columns: read.columns,
    geometry: 'As the imported file has it, longitude and latitude (EPSG:4326)',
    style,
    shown: { legend: stepsLegend(style), description: `${draft.members.title}, by ${style.title}.` },
    styleTexts,
  };
}

/** Five equal steps of the first column of measured numbers; one colour where there is none. */
function styleOf(title: string, { features, columns, shape }: ReadVector): VectorStyle {
  const column = columns.find(({ type }) => type === 'number');
  const values = features.flatMap(({ properties }) => {
    const value = column === undefined ? null : properties[column.name];
    return typeof value === 'number' ? [value] : [];
  });
  const [least, most] = values.reduce(
    ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
    [Infinity, -Infinity],
  );
  if (column === undefined || !(least < most))
    return { geometry: shape, attribute: '', title, limits: [], colors: [PLAIN], labels: [title] };
  const limits = Array.from({ length: GREENS.length + 1 }, (_, i) => least + ((most - least) * i) / GREENS.length);
  return { geometry: shape, attribute: column.name, title: column.name, limits, colors: GREENS };
}
