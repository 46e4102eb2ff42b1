import type { Dataset } from '@headwater/core/ports';
import type { Ports } from '../../../deps.ts';
import { localText } from '../../../pages/texts.ts';
import type { AdminResource, AdminRow, LocalText } from '../../../seam/admin-resource.ts';
import { textFor } from '../page/admin-parts.ts';

const LABELS = {
  name: localText('name'),
  type: localText('type'),
  workspace: localText('workspace'),
  style: localText('style'),
} satisfies Record<string, LocalText>;

const TYPES: Readonly<Record<Dataset['layerType'], LocalText>> = {
  raster: localText('adminRaster'),
  vector: localText('adminVector'),
};

/** Kinds of layers that this service can publish. The list cannot be changed. */
export function datasetsResource({ stores }: Ports<'stores'>): AdminResource {
  return {
    name: 'datasets',
    title: localText('datasets'),
    one: localText('adminDataset'),
    section: 'data',
    lead: localText('kindsOfLayersWithTheir'),
    columns: Object.entries(LABELS).map(([name, label]) => ({ name, label, isSortable: name === 'name' })),
    filters: [
      {
        name: 'type',
        label: LABELS.type,
        choices: Object.entries(TYPES).map(([value, label]) => ({ value, label })),
      },
    ],
    search: localText('nameOrWorkspace'),
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
