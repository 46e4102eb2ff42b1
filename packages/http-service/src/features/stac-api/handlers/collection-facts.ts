import type { Catalog, Collection } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import type { CollectionPageFacts, PicturedLayer } from '../page/collection-page.ts';
import type { Crumb, Pages } from '../../../pages/parts.ts';
import { boxText, periodText } from '../../../pages/words.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { paths } from '../../../wire/paths.ts';
import { creditsOf } from '../../../layers/credits.ts';
import type { LayerSummary } from '../../../layers/layer-summaries.ts';
import { tehsilLinks } from './tehsil-links.ts';
import { collectionHead } from './stac-documents.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { leadingTheme, previewSrc, shownLayer } from '../../../items/publications.ts';

/** Number of places or layers on one page. */
const PAGE_SIZE = 60;
const BELOW = ['States', 'Districts', 'Tehsils', 'Layers'] as const;

/** Words for what the page of a state, district or tehsil lists. */
const HOLDS = ['districts', 'tehsils', 'layers'] as const;

/** Title of a page of a list; the first page has no number. */
const numbered = (title: string, page: number): string => (page > 1 ? `${title}, page ${page}` : title);

/** Data of the page of the root catalogue. */
export function catalogFacts(
  catalog: Catalog,
  deps: Ports<'baseUrl' | 'publication' | 'version'>,
  page: number,
): CollectionPageFacts {
  const children = linksTo(catalog, 'child', deps);
  return {
    ...common(deps),
    credits: creditsOf(deps.publication, []),
    title: deps.publication.title,
    documentTitle: numbered(`Catalogue: ${deps.publication.title}`, page),
    description: 'All publications, by state, district and tehsil.',
    above: [],
    below: BELOW[0],
    ...pageOf(children, page),
    layers: [],
    period: '',
    box: '',
    license: undefined,
    also: { title: 'Regions, which belong to no tehsil', href: pageLinks(deps.baseUrl).prefix + paths.regions },
    self: createAddresses(deps.baseUrl).catalog(),
  };
}

/**
 * Data of the page of a Collection: a state, district or tehsil. For a tehsil, reads only the layers that this page
 * shows. Throws `not_found`.
 */
export async function collectionFacts(
  deps: Ports<
    'baseUrl' | 'canCompute' | 'itemForm' | 'pipelines' | 'screens' | 'publication' | 'stores' | 'summaries' | 'version'
  >,
  slugs: readonly string[],
  page: number,
): Promise<CollectionPageFacts> {
  const { path, titleOf, collection } = await collectionHead(deps, slugs);
  const [list, tehsil] = await Promise.all([belowOf(deps, { path, collection, page }), tehsilLinks(deps, path)]);
  const names = path.split('/').map((_, depth, slugs) => titleOf(slugs.slice(0, depth + 1).join('/')));
  const { spatial } = collection.extent;
  const above = path.split('/').slice(0, -1);
  return {
    ...common(deps),
    title: titleOf(path),
    documentTitle: numbered(`${names.toReversed().join(', ')}: ${HOLDS[names.length - 1] ?? HOLDS[2]}`, page),
    tehsil,
    description:
      above.length === 0
        ? 'Layers of this state.'
        : `In ${above
            .map((_, i) => titleOf(above.slice(0, i + 1).join('/')))
            .toReversed()
            .join(', ')}.`,
    above: crumbsTo(path, deps, titleOf).slice(0, -1),
    below: BELOW[slugs.length] ?? BELOW[3],
    ...list,
    box: boxText(spatial.bbox[0]),
    license: licenseOf(deps),
    self: createAddresses(deps.baseUrl).collection(path),
  };
}

interface ListOf {
  readonly path: string;
  readonly collection: Collection;
  readonly page: number;
}

async function belowOf(
  deps: Ports<'baseUrl' | 'pipelines' | 'publication' | 'stores' | 'summaries'>,
  { path, collection, page }: ListOf,
): Promise<Pick<CollectionPageFacts, 'children' | 'layers' | 'pages' | 'period' | 'credits'>> {
  if (path.split('/').length < 3)
    return {
      ...pageOf(linksTo(collection, 'child', deps), page),
      layers: [],
      period: '',
      credits: creditsOf(deps.publication, []),
    };
  const offset = (page - 1) * PAGE_SIZE;
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
    period: periodOf(summaries),
    credits,
    pages: pagesAt(page, found.length > PAGE_SIZE),
  };
}

/**
 * Period of the layers. It is not taken from the Collection's extent, because that includes publication times of
 * layers without a period.
 */
function periodOf(layers: readonly LayerSummary[]): string {
  const [starts, ends] = [layers.flatMap(({ start }) => start ?? []), layers.flatMap(({ end }) => end ?? [])];
  return periodText(starts.sort()[0], ends.sort().at(-1));
}

function pageOf(all: readonly Crumb[], page: number): { readonly children: readonly Crumb[]; readonly pages: Pages } {
  const from = (page - 1) * PAGE_SIZE;
  const children = all.slice(from, from + PAGE_SIZE);
  const shown = children.length === 0 ? {} : { shown: `${from + 1} to ${from + children.length} of ${all.length}` };
  return { children, pages: { ...pagesAt(page, all.length > from + PAGE_SIZE), ...shown } };
}

function pagesAt(page: number, isMore: boolean): Pages {
  return { ...(page > 1 ? { newer: `?page=${page - 1}` } : {}), ...(isMore ? { older: `?page=${page + 1}` } : {}) };
}

/** Links to the catalogue and to the Collections on the way to `path`, including `path`. */
export function crumbsTo(
  path: string,
  { baseUrl }: Ports<'baseUrl'>,
  titleOf: (path: string) => string,
): readonly Crumb[] {
  const { prefix, here } = pageLinks(baseUrl);
  const parts = path.split('/');
  const on = parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
  return [
    { title: 'Catalogue', href: prefix + paths.catalog },
    ...on.map((each) => ({ title: titleOf(each), href: here(createAddresses(baseUrl).collection(each)) ?? '' })),
  ];
}

/** Licence of all publications. */
export function licenseOf({ publication }: Ports<'publication'>): Crumb {
  return { title: publication.license, href: publication.licenseUrl };
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
