import { isRegionPath } from '@headwater/core/places';
import type { NewestPage } from '@headwater/core/ports';
import type { Ports } from '../deps.ts';
import type { Pages } from '../pages/parts.ts';
import type { ShownLayer, ShownPublication } from '../pages/publication-cards.ts';
import { boxText, dayText, slugText } from '../pages/words.ts';
import { createAddresses, withBase } from '../wire/addresses.ts';
import { paths } from '../wire/paths.ts';
import type { Language } from '../wire/words.ts';
import { itemAddress } from './public-item.ts';
import { creditsOf } from '../layers/credits.ts';
import type { LayerSummary } from '../layers/layer-summaries.ts';
import { labelOf, withDistinctLabels } from './layer-labels.ts';
import { pageLinks } from '../pages/layout.ts';

const RUNS_SHOWN = 12;
const MOST_FEATURED = 24;

/** Published layers for a list. */
export interface ShownPublications {
  /** Undefined if the publications cannot be listed now. */
  readonly publications: readonly ShownPublication[] | undefined;
  readonly pages: Pages;
  /** Credits of the listed layers. */
  readonly credits: readonly string[];
}

/** Publications that could be listed. */
export type ListedPublications = ShownPublications & { readonly publications: readonly ShownPublication[] };

interface NewestRequest {
  readonly of: NonNullable<NewestPage['of']>;
  /** Only layers of runs before this run are listed; if undefined, the newest layers. */
  readonly before: string | undefined;
}

/** A page of the newest layers. */
export interface NewestLayers {
  readonly layers: readonly LayerSummary[];
  /** `before` of the next page; undefined on the last page. */
  readonly older: string | undefined;
}

/** The layers of tehsils or regions that the newest runs published. */
export async function newestLayers(
  { stores, summaries }: Ports<'stores' | 'summaries'>,
  { of, before }: NewestRequest,
): Promise<NewestLayers> {
  // One more run is read, to find out if there are older runs.
  const page = { runs: RUNS_SHOWN + 1, of, ...(before === undefined ? {} : { before }) };
  const found = [...Map.groupBy(await stores.catalog.newest(page), ({ runId }) => runId)];
  const shown = found.slice(0, RUNS_SHOWN);
  const older = found.length <= RUNS_SHOWN ? undefined : shown.at(-1)?.[0];
  return { layers: await summaries.of(shown.flatMap(([, versions]) => versions)), older };
}

type ListDeps = Ports<'baseUrl' | 'pipelines' | 'publication' | 'stores' | 'summaries'>;

/**
 * The newest publications of tehsils, grouped by run and place. The first page contains the featured place, if it has
 * layers.
 */
export async function shownPublications(
  deps: ListDeps & Ports<'featured' | 'logger'>,
  {
    before,
    page = 1,
    language,
  }: { readonly before: string | undefined; readonly page?: number | undefined; readonly language: Language },
): Promise<ShownPublications> {
  try {
    const { layers, older } = await newestLayers(deps, { of: 'tehsils', before });
    const groups = await withFeatured(deps, layers, before === undefined);
    return listed(deps, groups, { path: paths.firstPage, before, older, page, language });
  } catch (error) {
    // The service's first page is sent even if the layers cannot be read, because the page reports this fault.
    deps.logger.error({ error: String(error) }, 'the first page could not list the published layers');
    return { publications: undefined, pages: {}, credits: creditsOf(deps.publication, []) };
  }
}

/** The newest regions, each with its layers that are on this page. */
export async function shownRegions(
  deps: ListDeps,
  {
    before,
    page,
    language,
  }: { readonly before: string | undefined; readonly page: number; readonly language: Language },
): Promise<ListedPublications> {
  const { layers, older } = await newestLayers(deps, { of: 'regions', before });
  const groups = [...Map.groupBy(layers, ({ collectionPath }) => collectionPath).values()];
  return listed(deps, groups, { path: paths.regions, before, older, page, language });
}

interface ListPlace {
  readonly path: string;
  readonly page: number;
  readonly language: Language;
}

function listed(
  deps: Ports<'baseUrl' | 'pipelines' | 'publication'>,
  groups: readonly (readonly LayerSummary[])[],
  { path, before, older, page, language }: Pick<NewestRequest, 'before'> & Pick<NewestLayers, 'older'> & ListPlace,
): ListedPublications {
  const pages = {
    ...(before === undefined ? {} : { newer: `${pageLinks(deps.baseUrl).prefix}${path}` }),
    ...(older === undefined ? {} : { older: `?before=${encodeURIComponent(older)}&page=${page + 1}` }),
  };
  const credits = creditsOf(deps.publication, groups.flat());
  return { publications: groups.map((each) => publicationOf(each, deps, language)), pages, credits };
}

async function withFeatured(
  { featured, stores, summaries }: Ports<'featured' | 'stores' | 'summaries'>,
  shown: readonly LayerSummary[],
  isFirst: boolean,
): Promise<readonly (readonly LayerSummary[])[]> {
  const groups = [...Map.groupBy(shown, ({ runId, collectionPath }) => `${runId} ${collectionPath}`).values()];
  if (!isFirst || featured === undefined || shown.some(({ collectionPath }) => collectionPath === featured))
    return groups;
  const layers = await summaries.of(await stores.catalog.listOf(featured, { limit: MOST_FEATURED, offset: 0 }));
  return layers.length === 0 ? groups : [...groups, layers];
}

/** First keyword of the service's first pipeline. Layers with this keyword come first in lists. */
export function leadingTheme({ pipelines: [first] }: Ports<'pipelines'>): string | undefined {
  return first?.keywords?.[0];
}

function publicationOf(
  layers: readonly LayerSummary[],
  deps: Ports<'baseUrl' | 'pipelines'>,
  language: Language,
): ShownPublication {
  const { here } = pageLinks(deps.baseUrl);
  const theme = leadingTheme(deps);
  const isOther = ({ keywords }: LayerSummary): number => Number(theme === undefined || !keywords.includes(theme));
  const ordered = layers.toSorted(
    (a, b) => isOther(a) - isOther(b) || Number(a.isVector) - Number(b.isVector) || later(b, a),
  );
  const [first] = ordered;
  const path = first?.collectionPath ?? '';
  const [slug = '', ...above] = path.split('/').toReversed();
  const pictured = ordered.find(({ preview }) => preview !== undefined);
  const src = pictured === undefined ? undefined : previewSrc(pictured, deps);
  return {
    place: first?.place ?? slugText(slug),
    where: isRegionPath(path) ? boxText(first?.box, language) : above.map(slugText).join(', '),
    href: here(createAddresses(deps.baseUrl).collection(path)) ?? '',
    published: dayText(first?.published, language),
    picture: pictured === undefined || src === undefined ? undefined : { ...shownLayer(pictured, deps), src },
    layers: withDistinctLabels(
      ordered.map((layer) => shownLayer(layer, deps)),
      first?.place ?? slugText(slug),
    ),
    leads: first !== undefined && isOther(first) === 0 ? theme : undefined,
  };
}

function later(a: LayerSummary, b: LayerSummary): number {
  return (Date.parse(a.start ?? '') || 0) - (Date.parse(b.start ?? '') || 0);
}

/** Link to a layer, with its title and label, for a list. */
export function shownLayer(layer: LayerSummary, { baseUrl }: Ports<'baseUrl'>): ShownLayer {
  return {
    title: layer.title,
    label: labelOf(layer),
    href: pageLinks(baseUrl).here(itemAddress(layer, baseUrl)) ?? '',
  };
}

/** Address of a layer's preview, without the origin. */
export function previewSrc({ preview }: LayerSummary, { baseUrl }: Ports<'baseUrl'>): string | undefined {
  return preview === undefined ? undefined : pageLinks(baseUrl).picture(withBase(preview, baseUrl));
}
