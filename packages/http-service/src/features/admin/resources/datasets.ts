import type { Dataset } from '@headwater/core/ports';
import type { Ports } from '../../../deps.ts';
import type { AdminResource, AdminRow, LocalText } from '../../../seam/admin-resource.ts';
import { textFor } from '../page/admin-parts.ts';

const LABELS = {
  name: { en: 'Name', hi: 'नाम' },
  type: { en: 'Type', hi: 'प्रकार' },
  workspace: { en: 'Workspace', hi: 'कार्यक्षेत्र' },
  style: { en: 'Style', hi: 'शैली' },
} satisfies Record<string, LocalText>;

const TYPES: Readonly<Record<Dataset['layerType'], LocalText>> = {
  raster: { en: 'Raster', hi: 'रास्टर' },
  vector: { en: 'Vector', hi: 'वेक्टर' },
};

/** Kinds of layers that this service can publish. They come with the software, so they cannot be changed. */
export function datasetsResource({ stores }: Ports<'stores'>): AdminResource {
  return {
    name: 'datasets',
    title: { en: 'Datasets', hi: 'डेटासेट' },
    one: { en: 'dataset', hi: 'डेटासेट' },
    section: 'data',
    lead: {
      en: 'Kinds of layers with their workspace and style. They come with the software.',
      hi: 'परतों के प्रकार, उनका कार्यक्षेत्र और शैली। ये सॉफ़्टवेयर के साथ आते हैं।',
    },
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label, isSortable: name === 'name' })),
    filters: [
      {
        name: 'type',
        label: LABELS.type,
        choices: Object.entries(TYPES).map(([value, label]) => ({ value, label })),
      },
    ],
    search: { en: 'Name or workspace', hi: 'नाम या कार्यक्षेत्र' },
    count: async () => (await stores.places.datasets()).length,
    list: async ({ search, filters, sort, limit, offset }, caller) => {
      const words = search.toLowerCase();
      const found = (await stores.places.datasets())
        .filter(({ layerType }) => layerType === (filters['type'] ?? layerType))
        .filter(({ name, workspace }) => [name, workspace].some((text) => text.toLowerCase().includes(words)))
        .sort((a, b) => a.name.localeCompare(b.name, 'en'));
      if (sort?.isDescending === true) found.reverse();
      const rows = found
        .slice(offset, offset + limit)
        .map(({ id, name, layerType, workspace, styleName }): AdminRow => ({
          id: String(id),
          values: { name, type: textFor(caller, TYPES[layerType]), workspace, style: styleName },
        }));
      return { rows, total: found.length };
    },
  };
}
