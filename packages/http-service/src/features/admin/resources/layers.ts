import type { LayerDetail, LayerOrderColumn, ListedLayer } from '@headwater/core/ports';
import { collectionPath } from '@headwater/stac';
import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import { previewSrc } from '../../../items/publications.ts';
import { type Html, pageLinks } from '../../../pages/layout.ts';
import { momentText } from '../../../pages/words.ts';
import { localText } from '../../../pages/texts.ts';
import type {
  AdminAction,
  AdminCaller,
  AdminChoice,
  AdminDetail,
  AdminField,
  AdminQuery,
  AdminResource,
  AdminValue,
  LocalText,
} from '../../../seam/admin-resource.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { layerTexts, unpublishLayer } from '../../maps/handlers/unpublish-layer.ts';
import { tehsilReportAddress } from '../../reports/schemas/report-addresses.ts';

type LayerDeps = Ports<
  'addresses' | 'assets' | 'baseUrl' | 'canCompute' | 'logger' | 'mapPublisher' | 'stores' | 'summaries'
>;

const T = {
  layer: localText('theLayer'),
  state: localText('aState'),
  district: localText('district'),
  tehsil: localText('tehsil'),
  dataset: localText('dataset'),
  type: localText('type'),
  vector: localText('vector'),
  raster: localText('raster'),
  version: localText('version'),
  published: localText('adminPublished'),
  run: localText('adminRun'),
  item: localText('pageWithTheMap'),
  document: localText('stacItem'),
  file: localText('file'),
  style: localText('style'),
  server: localText('mapServer'),
  report: localText('reportOfTheTehsil'),
  again: localText('computeAgain'),
  versions: localText('versions'),
  rows: localText('rows'),
  table: localText('table'),
  catalogue: localText('browseTheStacCatalogue'),
  stacApi: localText('stacApiWithSearch'),
} as const satisfies Readonly<Record<string, LocalText>>;

const PLACE_COLUMNS = [
  { name: 'tehsil', label: T.tehsil },
  { name: 'district', label: T.district },
  { name: 'state', label: T.state },
] as const;

const FIELDS: readonly AdminField[] = [
  ...PLACE_COLUMNS,
  { name: 'dataset', label: T.dataset },
  { name: 'version', label: T.version },
  { name: 'run', label: T.run },
];

const say = (text: LocalText, { language }: Pick<AdminCaller, 'language'>): string => text[language] ?? text.en;

const isOneOf = <T extends string>(choices: readonly T[], text: string | undefined): text is T =>
  choices.some((choice) => choice === text);

function placeValues({
  place,
}: Pick<ListedLayer, 'place'>): Readonly<Record<'tehsil' | 'district' | 'state', AdminValue>> {
  return { tehsil: place?.tehsil ?? null, district: place?.district ?? null, state: place?.state ?? null };
}

const runValue = (runId: string | null): AdminValue =>
  runId === null ? null : { text: runId.slice(-8), href: `/admin/runs/${runId}/` };

const MOST_STATES = 100;

const asChoice = (name: string): AdminChoice => ({ value: name, label: { en: name } });

/** Published layers. */
export function layersResource(deps: LayerDeps): AdminResource {
  return {
    name: 'layers',
    title: localText('publishedLayers'),
    one: localText('adminLayer'),
    section: 'data',
    columns: [
      { name: 'name', label: T.layer, isSortable: true },
      ...PLACE_COLUMNS,
      { name: 'dataset', label: T.dataset, isSortable: true },
      { name: 'type', label: T.type },
      { name: 'version', label: T.version, isSortable: true },
      { name: 'published', label: T.published, isSortable: true },
      { name: 'run', label: T.run },
    ],
    filters: [
      {
        name: 'dataset',
        label: T.dataset,
        choices: async () => (await deps.stores.operatorLists.layerDatasets()).map(asChoice),
      },
      {
        name: 'state',
        label: T.state,
        choices: async () => {
          const query = { level: 'state', order: 'name', limit: MOST_STATES, offset: 0 } as const;
          return (await deps.stores.lookups.listUnits(query)).units.map(({ name }) => asChoice(name));
        },
      },
      {
        name: 'type',
        label: T.type,
        choices: [
          { value: 'raster', label: T.raster },
          { value: 'vector', label: T.vector },
        ],
      },
    ],
    search: localText('searchByTehsilDistrictState'),
    list: async (query, caller) => await listLayers(query, caller, deps),
    listParts: async (caller) => [catalogueLinks(caller)],
    find: async (id, caller) => {
      const layer = await layerOf(id, deps);
      return layer === undefined ? undefined : await detailOf(layer, caller, deps);
    },
    fields: FIELDS,
    actions: [unpublishAction(deps)],
  };
}

function catalogueLinks(caller: AdminCaller): Html {
  return html`<p>
    <a href="${caller.prefix}${paths.catalog}">${say(T.catalogue, caller)}</a> ·
    <a href="${caller.prefix}${paths.stacApi}">${say(T.stacApi, caller)}</a>
  </p>`;
}

async function listLayers({ search, filters, sort, limit, offset }: AdminQuery, caller: AdminCaller, deps: LayerDeps) {
  const columns: readonly LayerOrderColumn[] = ['name', 'dataset', 'version', 'published'];
  const { type: layerType, dataset: datasetName, state } = filters;
  const { rows, total } = await deps.stores.operatorLists.layers({
    limit,
    offset,
    search,
    datasetName,
    state,
    order: isOneOf(columns, sort?.column) ? sort.column : 'name',
    isDescending: sort?.isDescending ?? false,
    ...(isOneOf(['vector', 'raster'] as const, layerType) && { layerType }),
  });
  const found = rows.map((layer) => ({
    id: nameOf(layer),
    values: {
      name: nameOf(layer),
      ...placeValues(layer),
      dataset: layer.datasetName,
      type: say(T[layer.layerType], caller),
      version: layer.version,
      published: layer.publishedAt === null ? null : momentText(layer.publishedAt, caller.language),
      run: runValue(layer.runId),
    },
  }));
  return { rows: found, total };
}

const nameOf = ({ workspace, layerName }: Pick<ListedLayer, 'workspace' | 'layerName'>): string =>
  `${workspace}:${layerName}`;

async function layerOf(id: string, { stores }: LayerDeps): Promise<LayerDetail | undefined> {
  const [workspace = '', ...rest] = id.split(':');
  return rest.length === 0 ? undefined : await stores.operatorLists.layer(workspace, rest.join(':'));
}

async function detailOf(layer: LayerDetail, caller: AdminCaller, deps: LayerDeps): Promise<AdminDetail> {
  const { place, collectionPath: path, itemId, workspace, layerName } = layer;
  const { addresses } = deps;
  const text = (label: LocalText): string => say(label, caller);
  const link = (label: LocalText, name: string, href: string): readonly [LocalText, AdminValue] => [
    label,
    { text: name, href },
  ];
  const below = (address: string): string => pageLinks(deps.baseUrl).below(address) ?? address;
  const file = (label: LocalText, key: string) => link(label, key.split('/').at(-1) ?? key, below(addresses.file(key)));
  const own = createAddresses(deps.baseUrl);
  const served =
    layer.layerType === 'vector' ? addresses.features(workspace, layerName) : addresses.coverage(workspace, layerName);
  const query =
    place === null ? '' : new URLSearchParams({ state: place.state, district: place.district, tehsil: place.tehsil });
  return {
    title: nameOf(layer),
    texts: layerTexts(layer),
    facts: [
      ...PLACE_COLUMNS.map(({ name, label }) => [label, placeValues(layer)[name]] as const),
      [T.dataset, layer.datasetName],
      [T.type, text(T[layer.layerType])],
      [T.version, layer.version],
      [T.published, layer.publishedAt === null ? null : momentText(layer.publishedAt, caller.language)],
      [T.run, layer.runId === null ? null : { text: layer.runId, href: `/admin/runs/${layer.runId}/` }],
      ...(path === null
        ? []
        : [
            [T.item, { text: itemId, href: below(own.item(path, itemId)) }] as const,
            [T.document, { text: 'JSON', href: `${below(own.item(path, itemId))}?format=json` }] as const,
          ]),
      file(T.file, layer.assetKey),
      ...(layer.styleKey === null ? [] : [file(T.style, layer.styleKey)]),
      link(T.server, layer.layerType === 'vector' ? 'WFS' : 'WCS', below(served)),
      ...(place === null
        ? []
        : [[T.report, { text: text(T.report), href: tehsilReportAddress('', place, caller.language) }] as const]),
      ...(place === null || !deps.canCompute
        ? []
        : [[T.again, { text: text(T.again), href: `${paths.dashboardCompute}?${String(query)}` }] as const]),
    ],
    parts: [...(await pictureOf(layer, deps)), versionsPart(layer, caller)],
    consequences: consequencesOf(layer),
  };
}

async function pictureOf(
  { collectionPath: path, itemId: id, ...layer }: LayerDetail,
  deps: LayerDeps,
): Promise<readonly Html[]> {
  if (path === null || layer.runId === null) return [];
  const item = await deps.stores.catalog.item(path, id);
  const [summary] = item === undefined ? [] : await deps.summaries.of([item]);
  const src = summary === undefined ? undefined : previewSrc(summary, deps);
  if (summary === undefined || src === undefined) return [];
  return [html`<figure><img src="${src}" alt="${summary.title}" /></figure>`];
}

function versionsPart({ versions }: LayerDetail, caller: AdminCaller): Html {
  const { prefix } = caller;
  return html`<h2>${say(T.versions, caller)}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="${say(T.versions, caller)}">
      <table>
        <thead>
          <tr>
            <th scope="col">${say(T.version, caller)}</th>
            <th scope="col">${say(T.run, caller)}</th>
          </tr>
        </thead>
        <tbody>
          ${versions.map(
            ({ version, runId }) =>
              html`<tr>
                <td>${version}</td>
                <td><a href="${prefix}/admin/runs/${runId}/">${runId}</a></td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function consequencesOf({ itemId, layers, tables, series, versions, runId }: LayerDetail): readonly LocalText[] {
  const listed = (of: LocalText, names: readonly string[]): readonly LocalText[] =>
    names.length === 0 ? [] : [localText('listOf', { of, names: names.join(', ') })];
  return [
    localText(versions.length === 1 ? 'itemWithItsVersion' : 'itemWithItsVersions', {
      id: itemId,
      count: versions.length,
    }),
    ...listed(localText('layers'), layers),
    ...listed(localText('tables'), tables),
    ...listed(localText('timeSeriesListed'), series),
    localText('theReportTheWorkbookAnd'),
    runId === null ? localText('runsStay') : localText('runsStayLike', { run: runId }),
  ];
}

function unpublishAction(deps: LayerDeps): AdminAction {
  return {
    name: 'unpublish',
    label: localText('unpublish'),
    isDangerous: true,
    isBulk: true,
    run: async (id) => {
      return { also: await unpublishLayer(deps, await layerOf(id, deps), id) };
    },
  };
}

/** Published tables, with links to their pages. */
export function tablesResource({ stores }: Ports<'stores'>): AdminResource {
  return {
    name: 'tables',
    title: localText('tables'),
    one: localText('adminTable'),
    section: 'data',
    columns: [
      { name: 'name', label: T.table, isSortable: true },
      ...PLACE_COLUMNS,
      { name: 'rows', label: T.rows, isSortable: true },
      { name: 'version', label: T.version, isSortable: true },
      { name: 'published', label: T.published, isSortable: true },
      { name: 'run', label: T.run },
    ],
    search: localText('searchByPlaceOrName'),
    list: async ({ search, sort, limit, offset }, { language }) => {
      const column = sort?.column;
      const { rows, total } = await stores.operatorLists.tables({
        limit,
        offset,
        search,
        order: isOneOf(['name', 'rows', 'version', 'published'] as const, column) ? column : 'name',
        isDescending: sort?.isDescending ?? false,
      });
      const found = rows.map((table) => {
        const [state = '', district = '', block = ''] =
          table.place === null
            ? []
            : collectionPath(table.place.state, table.place.district, table.place.tehsil).split('/');
        const href = fill(paths.table, { state, district, block, name: encodeURIComponent(table.name) });
        return {
          id: `${table.tehsilId}:${table.name}`,
          values: {
            name: table.place === null ? table.name : { text: table.name, href },
            ...placeValues(table),
            rows: table.rowCount,
            version: table.version,
            published: momentText(table.publishedAt, language),
            run: runValue(table.runId),
          },
        };
      });
      return { rows: found, total };
    },
  };
}
