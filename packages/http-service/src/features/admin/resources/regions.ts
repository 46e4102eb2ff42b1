import { boxPolygon, sphericalAreaHa } from '@headwater/core/geo';
import { regionPath } from '@headwater/core/places';
import type { ListedRegion } from '@headwater/core/ports';
import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { boxText, momentText } from '../../../pages/words.ts';
import { localText } from '../../../pages/texts.ts';
import type { AdminCaller, AdminDetail, AdminResource, AdminValue, LocalText } from '../../../seam/admin-resource.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { keptDays } from '../../regions/handlers/region-page.ts';
import { removeRegion } from '../../regions/handlers/remove-region.ts';

type Deps = Ports<'assets' | 'baseUrl' | 'logger' | 'runs' | 'stores' | 'workService'>;

const LABELS = {
  name: localText('region'),
  size: localText('size'),
  box: localText('adminBox'),
  layers: localText('layers'),
  published: localText('computed'),
  expires: localText('removedOn'),
  page: localText('publicPage'),
} as const satisfies Readonly<Record<string, LocalText>>;

const MOST_LAYERS = 200;
const DAY_MS = 86_400_000;

/** Regions: boxes for which the work service computed layers. An id has the form `region_0123456789abcdef`. */
export function regionsResource(deps: Deps): AdminResource {
  const { catalog } = deps.stores;
  return {
    name: 'regions',
    title: localText('customRegions'),
    one: localText('adminRegion'),
    section: 'data',
    lead: localText('boxesThatCallersOfThe'),
    columns: [
      { name: 'name', label: LABELS.name },
      { name: 'size', label: LABELS.size },
      { name: 'layers', label: LABELS.layers },
      { name: 'published', label: LABELS.published },
      { name: 'expires', label: LABELS.expires },
    ],
    search: localText('searchByTheNameOf'),
    list: async ({ search, limit, offset }, caller) => {
      const { regions, total } = await catalog.listRegions({ text: search.toLowerCase(), limit, offset });
      return { rows: regions.map((region) => ({ id: nameOf(region), values: valuesOf(deps, region, caller) })), total };
    },
    count: async () => (await catalog.listRegions({ text: '', limit: 0, offset: 0 })).total,
    find: (id, caller) => detailOf(deps, id, caller),
    actions: [
      {
        name: 'remove',
        label: localText('remove'),
        isDangerous: true,
        isBulk: true,
        run: async (id, { principal }) => {
          await removeRegion(deps, principal, id);
          return {};
        },
      },
    ],
  };
}

function nameOf({ path }: ListedRegion): string {
  return path.split('/').at(-1) ?? '';
}

function valuesOf(deps: Deps, region: ListedRegion, { language }: AdminCaller): Readonly<Record<string, AdminValue>> {
  const { box, items, publishedAt } = region;
  const days = keptDays(deps);
  const end = days === null ? undefined : new Date(Date.parse(publishedAt) + days * DAY_MS).toISOString();
  return {
    name: nameOf(region),
    size: box === null ? null : `${(sphericalAreaHa(boxPolygon(box)) / 100).toFixed(1)} km²`,
    layers: items,
    published: momentText(publishedAt, language),
    expires: end === undefined ? null : momentText(end, language),
  };
}

async function detailOf(deps: Deps, id: string, caller: AdminCaller): Promise<AdminDetail | undefined> {
  const path = regionPath(id);
  if (path === undefined) return undefined;
  const { catalog } = deps.stores;
  const region = (await catalog.listRegions({ text: path, limit: 1, offset: 0 })).regions[0];
  if (region === undefined) return undefined;
  const values = valuesOf(deps, region, caller);
  const addresses = createAddresses(deps.baseUrl);
  const { here, below } = pageLinks(deps.baseUrl);
  const layers = await catalog.listOf(path, { limit: MOST_LAYERS, offset: 0 });
  const collection = addresses.collection(path);
  return {
    title: id,
    texts: {},
    facts: [
      [LABELS.size, values['size'] ?? null],
      [LABELS.box, region.box === null ? null : boxText(region.box, caller.language)],
      [LABELS.published, values['published'] ?? null],
      [LABELS.expires, values['expires'] ?? null],
      [LABELS.page, { text: collection, href: below(collection) ?? '' }],
    ],
    parts: [
      html`<h2>${LABELS.layers[caller.language]}</h2>
        <ul class="plain">
          ${layers.map(({ id: item, title }) => html`<li><a href="${here(addresses.item(path, item)) ?? ''}">${title ?? item}</a></li> `)}
        </ul>`,
    ],
    consequences: [localText('itsLayersWithTheirTables', { items: region.items })],
  };
}
