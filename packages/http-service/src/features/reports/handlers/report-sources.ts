import { isImport } from '@headwater/core/runs';
import type { TehsilNames } from '@headwater/core';
import { collectionPath } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import { creditsOf } from '../../../layers/credits.ts';
import type { LayerSummary } from '../../../layers/layer-summaries.ts';
import type { ShownLicence, ShownOrigins, ShownSource, ReportFacts } from '../page/sections.ts';
import { spdxAddress } from '../../../layers/publication.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { computingRoutes } from '../../../items/computing-routes.ts';
import type { ReportFigures } from './listed-sections.ts';
import { reportSections } from './report-sections.ts';

const MAX_ITEMS = 200;

/** Publication of a table or series. */
export interface Published {
  readonly name: string;
  readonly runId: string;
  readonly publishedAt: string;
  /** Item of a table, null if it has none; undefined for a series. */
  readonly itemId?: string | null;
}

/** Sources of the figures of a tehsil. */
export interface ReportSources {
  readonly of: (published: Published) => ShownSource;
  /** Origins of the figures whose sources `of` has returned. */
  readonly origins: () => ShownOrigins;
  /** Credit lines of the sources that `of` has returned. */
  readonly credits: () => readonly string[];
  /** Known licences of the sources that `of` has returned. */
  readonly licences: () => readonly ShownLicence[];
  readonly layers: readonly LayerSummary[];
  /** Catalogue page of the tehsil; undefined if it has no Items. */
  readonly collection: string | undefined;
}

/** Reads the Items of a tehsil once, and the runs that imported these tables and series. */
export async function reportSources(
  deps: Ports<'baseUrl' | 'publication' | 'stores' | 'summaries'>,
  names: TehsilNames,
  all: readonly Published[],
): Promise<ReportSources> {
  const { stores, summaries, baseUrl, publication } = deps;
  const path = collectionPath(names.state, names.district, names.tehsil);
  const layers = await summaries.of(await stores.catalog.listOf(path, { limit: MAX_ITEMS, offset: 0 }));
  const layerOf = layerFinder(layers);
  const files = await importedFiles(
    deps,
    all.filter((each) => layerOf(each) === undefined).map(({ runId }) => runId),
  );
  const { here } = pageLinks(baseUrl);
  const addresses = createAddresses(baseUrl);
  const used = new Set<LayerSummary>();
  let [isImported, hasOwnTables] = [false, false];
  return {
    of: (published) => {
      const { runId, publishedAt } = published;
      const [layer, file] = [layerOf(published), files.get(runId)];
      if (layer !== undefined) used.add(layer);
      else if (file !== undefined) isImported = true;
      else hasOwnTables = true;
      const href = layer === undefined ? undefined : here(addresses.item(layer.collectionPath, layer.id));
      return { title: layer?.title, href, file: layer === undefined ? file : undefined, publishedAt };
    },
    origins: () => ({
      isComputed: used.size > 0 || hasOwnTables,
      isSynthetic: Array.from(used).some((layer) => layer.isSynthetic),
      isImported,
    }),
    credits: () => creditsOf(publication, [...used]),
    licences: () => {
      // If the options have no licence, only the licences of the sources are shown.
      const own = publication.licenseUrl === undefined ? [] : [publication.license];
      const known = Array.from(used).flatMap(({ license }) => license ?? own);
      const titles = new Set([...known, ...(hasOwnTables ? own : [])]);
      return Array.from(titles, (title) => ({
        title,
        href: title === publication.license ? publication.licenseUrl : spdxAddress(title),
      }));
    },
    layers,
    collection: layers.length === 0 ? undefined : here(addresses.collection(path)),
  };
}

async function importedFiles(
  { stores }: Ports<'stores'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const runs = await Promise.all([...new Set(runIds)].map((id) => stores.runs.get(id)));
  return new Map(
    runs.flatMap((run): [string, string][] => {
      const name = run !== undefined && isImport(run) ? run.params['fileName'] : undefined;
      return run === undefined || typeof name !== 'string' ? [] : [[run.id, name]];
    }),
  );
}

type LayerFinder = (published: Published) => LayerSummary | undefined;

function layerFinder(layers: readonly LayerSummary[]): LayerFinder {
  return ({ name, runId, itemId }) =>
    itemId === undefined
      ? layerOfSeries(
          name,
          layers.filter((each) => each.runId === runId),
        )
      : layers.find(({ id }) => id === itemId);
}

/** The first layer whose id contains every word of the series' name. Default: the first layer. */
function layerOfSeries(name: string, layers: readonly LayerSummary[]): LayerSummary | undefined {
  const words = name.split('_');
  const own = layers.find(({ id }) => words.every((word) => id.split('_').includes(word)));
  return own ?? layers[0];
}

interface ReportParts {
  readonly names: TehsilNames;
  readonly sources: ReportSources;
  readonly figures: ReportFigures;
}

/** Data that the reports of a tehsil and of a micro-watershed have in common. */
export function reportCommon(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'version'>,
  { names, sources, figures }: ReportParts,
): ReportFacts {
  const { state, district, tehsil } = names;
  return {
    prefix: pageLinks(deps.baseUrl).prefix,
    version: deps.version,
    place: { state, district, tehsil },
    routes: computingRoutes(deps),
    collection: sources.collection,
    sections: reportSections(figures),
    origins: sources.origins(),
    credits: sources.credits(),
    licences: sources.licences(),
  };
}
