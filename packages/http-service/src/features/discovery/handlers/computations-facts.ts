import type { AnyPipeline } from '@headwater/core';
import type { ItemVersion } from '@headwater/core/ports';
import { fewAtOnce } from '../../../items/few-at-once.ts';
import type { Ports } from '../../../deps.ts';
import { entryId, listingOf } from '../../../items/pipeline-listing.ts';
import { previewSrc, shownLayer } from '../../../items/publications.ts';
import type { Picture } from '../../../layers/newest-cache.ts';
import { pageLinks, type Shell } from '../../../pages/layout.ts';
import { computeFormAddress } from '../../../screens/compute-address.ts';
import { computePath, paths } from '../../../wire/paths.ts';
import { exampleBody } from '../../../wire/request-names.ts';
import { findExampleNames } from '../../system/handlers/example-names.ts';
import type { ComputationsPageFacts } from '../page/computations-page.ts';

type Deps = Ports<
  | 'accounts'
  | 'baseUrl'
  | 'canCompute'
  | 'documents'
  | 'featured'
  | 'newest'
  | 'pipelines'
  | 'screens'
  | 'stores'
  | 'summaries'
  | 'version'
  | 'workService'
>;

/** Data of the list of computations. */
export async function computationsFacts(
  deps: Deps,
  shell: Shell & Pick<ComputationsPageFacts, 'lang'>,
): Promise<ComputationsPageFacts> {
  const { baseUrl, version, pipelines, canCompute } = deps;
  const offered = canCompute ? pipelines : [];
  const [pictures, known] = await Promise.all([
    deps.newest.pictures((versions) => picturesAmong(versions, deps)),
    deps.documents.known(() => findExampleNames(deps)),
  ]);
  const bodyOf = (pipeline: AnyPipeline): object => {
    const body = exampleBody(pipeline.examples[0]?.request);
    return { ...body, ...Object.fromEntries(Object.entries(known.body).filter(([name]) => Object.hasOwn(body, name))) };
  };
  return {
    prefix: pageLinks(baseUrl).prefix,
    baseUrl,
    version,
    // Address of the API reference as a plain page. If the service has a viewer of OpenAPI documents, `paths.docs` is
    // the viewer.
    reference: deps.documents.viewer === undefined ? paths.docs : paths.plainDocs,
    ...shell,
    computations: offered.map((pipeline) => ({
      ...listingOf(pipeline, shell.language),
      sign: pipeline.listing?.theme ?? '',
      path: computePath(pipeline.route),
      operation: `compute_${pipeline.route}`,
      makers: (pipeline.dependsOn ?? []).flatMap((name) => {
        const maker = offered.find((each) => each.name === name);
        return maker === undefined
          ? []
          : [{ title: listingOf(maker, shell.language).title, href: `#${entryId(name)}` }];
      }),
      data: pipeline.data ?? [],
      form: computeFormAddress(deps, { layer: pipeline.name }),
      body: bodyOf(pipeline),
      picture: pictures.get(pipeline.name),
    })),
  };
}

async function picturesAmong(versions: readonly ItemVersion[], deps: Deps): Promise<ReadonlyMap<string, Picture>> {
  const pictures = new Map<string, Picture>();
  const byRun = [...Map.groupBy(versions, ({ runId }) => runId)];
  const runs = await fewAtOnce(byRun, ([runId]) => deps.stores.runs.get(runId));
  // The order is reversed, so that the newest run of a pipeline replaces older runs in the map.
  const firstOf = new Map(byRun.map(([, own], at) => [runs[at]?.pipeline ?? '', own] as const).toReversed());
  for (const [pipeline, own] of firstOf) {
    const layers = await deps.summaries.of(own);
    const layer = layers.find((each) => previewSrc(each, deps) !== undefined);
    const src = layer && previewSrc(layer, deps);
    if (layer !== undefined && src !== undefined) pictures.set(pipeline, { ...shownLayer(layer, deps), src });
  }
  return pictures;
}
