import type { Ports } from '../deps.ts';
import type { Pages } from '../pages/parts.ts';
import type { ShownLayer, ShownPublication } from '../pages/publication-cards.ts';
import { dayText, slugText } from '../pages/words.ts';
import { createAddresses, withBase } from '../wire/addresses.ts';
import { paths } from '../wire/paths.ts';
import { itemAddress } from './public-item.ts';
import { creditsOf } from '../layers/credits.ts';
import type { LayerSummary } from '../layers/layer-summaries.ts';
import { labelOf, toldApart } from './layer-labels.ts';
import { pageLinks } from '../pages/layout.ts';

/** Runs on one page. */
const RUNS_SHOWN = 12;
/** Layers of the featured place: its years and what else a run made of it. */
const MOST_FEATURED = 24;

/** Publications and where the others are. */
export interface ShownPublications {
  /** Undefined where they cannot be listed now. */
  readonly publications: readonly ShownPublication[] | undefined;
  readonly pages: Pages;
  /** Of what is listed, for the foot of the page. */
  readonly credits: readonly string[];
}

/** What was published last, run by run, with the featured place at the end of the first page where newer ones crowd it out. */
export async function shownPublications(
  deps: Ports<'baseUrl' | 'featured' | 'logger' | 'publication' | 'stores' | 'summaries'>,
  before: string | undefined,
): Promise<ShownPublications> {
  const { prefix } = pageLinks(deps.baseUrl);
  try {
    // One run more than is shown tells whether there are older ones.
    const page = { runs: RUNS_SHOWN + 1, ...(before === undefined ? {} : { before }) };
    const found = [...Map.groupBy(await deps.stores.catalog.newest(page), ({ runId }) => runId)];
    const shown = found.slice(0, RUNS_SHOWN);
    const summaries = await deps.summaries.of(shown.flatMap(([, versions]) => versions));
    const publications = await withFeatured(deps, summaries, before === undefined);
    const last = shown.at(-1)?.[0];
    const pages = {
      ...(before === undefined ? {} : { newer: `${prefix}${paths.firstPage}` }),
      ...(found.length <= RUNS_SHOWN || last === undefined ? {} : { older: `?before=${encodeURIComponent(last)}` }),
    };
    const credits = creditsOf(deps.publication, publications.flat());
    return { publications: publications.map((layers) => publicationOf(layers, deps)), pages, credits };
  } catch (error) {
    // The page must come even when the database is away: it is what tells so.
    deps.logger.error({ error: String(error) }, 'the first page could not list the published layers');
    return { publications: undefined, pages: {}, credits: creditsOf(deps.publication, []) };
  }
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

function publicationOf(layers: readonly LayerSummary[], deps: Ports<'baseUrl'>): ShownPublication {
  const { here } = pageLinks(deps.baseUrl);
  const ordered = layers.toSorted((a, b) => Number(a.isVector) - Number(b.isVector) || later(b, a));
  const [first] = ordered;
  const path = first?.collectionPath ?? '';
  const [slug = '', ...above] = path.split('/').toReversed();
  const pictured = ordered.find(({ preview }) => preview !== undefined);
  const src = pictured === undefined ? undefined : previewSrc(pictured, deps);
  return {
    place: first?.place ?? slugText(slug),
    where: above.map(slugText).join(', '),
    href: here(createAddresses(deps.baseUrl).collection(path)) ?? '',
    published: dayText(first?.published),
    picture: pictured === undefined || src === undefined ? undefined : { ...shownLayer(pictured, deps), src },
    layers: toldApart(
      ordered.map((layer) => shownLayer(layer, deps)),
      first?.place ?? slugText(slug),
    ),
  };
}

function later(a: LayerSummary, b: LayerSummary): number {
  return (Date.parse(a.start ?? '') || 0) - (Date.parse(b.start ?? '') || 0);
}

/** A layer as lists link to it. */
export function shownLayer(layer: LayerSummary, { baseUrl }: Ports<'baseUrl'>): ShownLayer {
  return {
    title: layer.title,
    label: labelOf(layer),
    href: pageLinks(baseUrl).here(itemAddress(layer, baseUrl)) ?? '',
  };
}

/** A layer's preview, relative to this origin. */
export function previewSrc({ preview }: LayerSummary, { baseUrl }: Ports<'baseUrl'>): string | undefined {
  return preview === undefined ? undefined : pageLinks(baseUrl).picture(withBase(preview, baseUrl));
}
