import type { Catalog, Collection } from '@headwater/stac';
import { placeSlug } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import type { CollectionPageFacts, PicturedLayer } from '../page/collection-page.ts';
import { type Crumb, type Pages, queryWith } from '../../../pages/parts.ts';
import { sayIn } from '../../../pages/texts.ts';
import { boxText, periodText } from '../../../pages/words.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { paths, fill } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';
import { creditsOf } from '../../../layers/credits.ts';
import type { LayerSummary } from '../../../layers/layer-summaries.ts';
import { collectionHead } from './stac-documents.ts';
import { pageLinks, type Shell } from '../../../pages/layout.ts';
import { leadingTheme, previewSrc, shownLayer } from '../../../items/publications.ts';
import { fewAtOnce } from '../../../items/few-at-once.ts';
import { isForAnyPlace, listingOf } from '../../../items/pipeline-listing.ts';
import { computeFormAddress } from '../../../screens/compute-address.ts';
import { tehsilReportAddress, workbookAddress } from '../../reports/schemas/report-addresses.ts';
import type { TehsilLinks } from '../page/tehsil-parts.ts';

const PAGE_SIZE = 60;
const BELOW = ['states', 'districts', 'tehsils', 'layers'] as const;

const HOLDS = ['districtsOf', 'tehsilsOf', 'layersOf'] as const;

interface ListRequest extends Pick<Shell, 'language' | 'query'> {
  readonly page: number;
}

const numbered = (title: string, { page, language }: ListRequest): string =>
  page > 1 ? sayIn(language)('pageNumber', { title, number: String(page) }) : title;

/** Data of the page of the root catalogue. */
export function catalogFacts(
  catalog: Catalog,
  deps: Ports<'baseUrl' | 'publication' | 'version'>,
  request: ListRequest,
): Omit<CollectionPageFacts, 'shell'> {
  const say = sayIn(request.language);
  const children = linksTo(catalog, 'child', deps);
  return {
    ...common(deps),
    credits: creditsOf(deps.publication, []),
    title: deps.publication.title,
    documentTitle: numbered(say('catalogueOf', { title: deps.publication.title }), request),
    description: say('allPublications'),
    above: [],
    below: say(BELOW[0]),
    ...pageOf(children, request),
    layers: [],
    period: '',
    box: '',
    license: undefined,
    also: { title: say('regionsApart'), href: pageLinks(deps.baseUrl).prefix + paths.regions },
    self: createAddresses(deps.baseUrl).catalog(),
  };
}

/**
 * Data of the page of a state, district or tehsil. A long list of places or layers is split into pages.
 * Throws `not_found`.
 */
export async function collectionFacts(
  deps: Ports<
    'baseUrl' | 'canCompute' | 'itemForm' | 'pipelines' | 'screens' | 'publication' | 'stores' | 'summaries' | 'version'
  >,
  slugs: readonly string[],
  request: ListRequest,
): Promise<Omit<CollectionPageFacts, 'shell'>> {
  const { language } = request;
  const say = sayIn(language);
  const { path, titleOf, collection } = await collectionHead(deps, slugs);
  const [list, tehsil] = await Promise.all([
    belowOf(deps, { path, collection, ...request }),
    tehsilLinks(deps, path, language),
  ]);
  const names = path.split('/').map((_, depth, slugs) => titleOf(slugs.slice(0, depth + 1).join('/')));
  const { spatial } = collection.extent;
  const above = path.split('/').slice(0, -1);
  return {
    ...common(deps),
    title: titleOf(path),
    documentTitle: numbered(
      say(HOLDS[names.length - 1] ?? HOLDS[2], { place: names.toReversed().join(', ') }),
      request,
    ),
    tehsil,
    description:
      above.length === 0
        ? say('layersOfState')
        : say('inPlace', {
            above: above
              .map((_, i) => titleOf(above.slice(0, i + 1).join('/')))
              .toReversed()
              .join(', '),
          }),
    above: crumbsTo({ path, language }, deps, titleOf).slice(0, -1),
    below: say(BELOW[slugs.length] ?? BELOW[3]),
    ...list,
    box: boxText(spatial.bbox[0], language),
    license: licenseOf(deps),
    self: createAddresses(deps.baseUrl).collection(path),
  };
}

interface ListOf extends ListRequest {
  readonly path: string;
  readonly collection: Collection;
}

async function belowOf(
  deps: Ports<'baseUrl' | 'pipelines' | 'publication' | 'stores' | 'summaries'>,
  { path, collection, ...request }: ListOf,
): Promise<Pick<CollectionPageFacts, 'children' | 'layers' | 'pages' | 'period' | 'credits'>> {
  if (path.split('/').length < 3)
    return {
      ...pageOf(linksTo(collection, 'child', deps), request),
      layers: [],
      period: '',
      credits: creditsOf(deps.publication, []),
    };
  const offset = (request.page - 1) * PAGE_SIZE;
  const found = await deps.stores.catalog.listOf(path, { limit: PAGE_SIZE + 1, offset });
  const summaries = await deps.summaries.of(found.slice(0, PAGE_SIZE));
  const lead = leadingTheme(deps);
  const isOther = ({ keywords }: LayerSummary): number => Number(lead === undefined || !keywords.includes(lead));
  const layers = summaries
    .toSorted((a, b) => isOther(a) - isOther(b))
    .map((layer): PicturedLayer => ({
      ...shownLayer(layer, deps),
      src: previewSrc(layer, deps),
      theme: layer.theme,
    }));
  const credits = creditsOf(deps.publication, summaries);
  return {
    children: [],
    layers,
    period: periodOf(summaries, request.language),
    credits,
    pages: pagesAt(request, found.length > PAGE_SIZE),
  };
}

/** Period of the layers. The Collection's extent is not used, because it includes publication times. */
function periodOf(layers: readonly LayerSummary[], language: Language): string {
  const [starts, ends] = [layers.flatMap(({ start }) => start ?? []), layers.flatMap(({ end }) => end ?? [])];
  return periodText({ start: starts.sort()[0], end: ends.sort().at(-1) }, language);
}

function pageOf(
  all: readonly Crumb[],
  request: ListRequest,
): { readonly children: readonly Crumb[]; readonly pages: Pages } {
  const from = (request.page - 1) * PAGE_SIZE;
  const children = all.slice(from, from + PAGE_SIZE);
  const range = { from: String(from + 1), to: String(from + children.length), total: String(all.length) };
  const shown = children.length === 0 ? {} : { shown: sayIn(request.language)('rangeOf', range) };
  return { children, pages: { ...pagesAt(request, all.length > from + PAGE_SIZE), ...shown } };
}

function pagesAt({ page, query }: ListRequest, isMore: boolean): Pages {
  const at = (number: number): string => queryWith(query, { page: String(number) });
  return { ...(page > 1 ? { newer: at(page - 1) } : {}), ...(isMore ? { older: at(page + 1) } : {}) };
}

/** Links to the catalogue and to each Collection on `path`, including `path` itself. */
export function crumbsTo(
  { path, language }: { readonly path: string; readonly language: Language },
  { baseUrl }: Ports<'baseUrl'>,
  titleOf: (path: string) => string,
): readonly Crumb[] {
  const { prefix, here } = pageLinks(baseUrl);
  const parts = path.split('/');
  const on = parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
  return [
    { title: sayIn(language)('catalogue'), href: prefix + paths.catalog },
    ...on.map((each) => ({ title: titleOf(each), href: here(createAddresses(baseUrl).collection(each)) ?? '' })),
  ];
}

/** Licence of all publications; undefined if none is chosen. */
export function licenseOf({ publication }: Ports<'publication'>): Crumb | undefined {
  const { license: title, licenseUrl: href } = publication;
  return href === undefined ? undefined : { title, href };
}

function common({ baseUrl, version }: Ports<'baseUrl' | 'version'>): Pick<CollectionPageFacts, 'prefix' | 'version'> {
  return { prefix: pageLinks(baseUrl).prefix, version };
}

function linksTo({ links }: Catalog | Collection, rel: string, { baseUrl }: Ports<'baseUrl'>): readonly Crumb[] {
  const { here } = pageLinks(baseUrl);
  return links.flatMap((link) => {
    const href = link.rel === rel ? here(link.href) : undefined;
    return href === undefined ? [] : [{ title: link.title, href }];
  });
}

const MOST_ITEMS = 500;

async function tehsilLinks(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'screens' | 'stores'>,
  path: string,
  language: Language,
): Promise<TehsilLinks | undefined> {
  const { stores, baseUrl } = deps;
  const [state = '', district = '', block = '', ...deeper] = path.split('/');
  if (block === '' || deeper.length > 0) return undefined;
  const slugs = { state: placeSlug(state), district: placeSlug(district), tehsil: placeSlug(block) };
  const names = await stores.lookups.tehsilNamed(slugs);
  if (names === undefined) return undefined;
  const { prefix } = pageLinks(baseUrl);
  const tables = await stores.data.tablesOf(names.tehsilId);
  return {
    report: tehsilReportAddress(prefix, names),
    workbook: tables.length === 0 ? undefined : workbookAddress(prefix, names),
    tables: tables.length === 0 ? undefined : prefix + fill(paths.tables, { state, district, block }),
    tableCount: tables.length,
    form: computeFormAddress(deps, names),
    missing: await missingAt(deps, path, { tables: new Set(tables.map(({ name }) => name)), language }),
  };
}

async function missingAt(
  { stores, pipelines, canCompute, baseUrl }: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'stores'>,
  path: string,
  { tables, language }: { readonly tables: ReadonlySet<string>; readonly language: Language },
): Promise<TehsilLinks['missing']> {
  if (!canCompute) return [];
  const items = await stores.catalog.listOf(path, { limit: MOST_ITEMS, offset: 0 });
  const runs = await fewAtOnce([...new Set(items.map(({ runId }) => runId))], (id) => stores.runs.get(id));
  const made = new Set(runs.map((run) => run?.pipeline));
  const start = pageLinks(baseUrl).prefix + paths.computations;
  return pipelines
    .filter(({ name, data = [] }) => !made.has(name) && !(data.length > 0 && data.every((each) => tables.has(each))))
    .filter(isForAnyPlace)
    .map((pipeline) => {
      const { id, title, lang } = listingOf(pipeline, language);
      return { title, lang, href: `${start}#${id}` };
    });
}
