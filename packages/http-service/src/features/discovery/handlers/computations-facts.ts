import type { AnyPipeline } from '@headwater/core';
import { fewAtOnce } from '../../../items/few-at-once.ts';
import type { Ports } from '../../../deps.ts';
import { entryId, listingOf } from '../../../items/pipeline-listing.ts';
import { previewSrc, shownLayer } from '../../../items/publications.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { computeFormAddress } from '../../../screens/compute-address.ts';
import { computePath, paths } from '../../../wire/paths.ts';
import { exampleBody } from '../../../wire/request-names.ts';
import { findExampleNames } from '../../system/handlers/example-names.ts';
import type { ComputationsPageFacts, ShownComputation } from '../page/computations-page.ts';

/** Number of newest runs whose layers are searched for pictures. */
const RUNS_WITH_PICTURES = 40;

type Deps = Ports<
  | 'accounts'
  | 'baseUrl'
  | 'canCompute'
  | 'documents'
  | 'featured'
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
  { language, lang }: Pick<ComputationsPageFacts, 'language' | 'lang'>,
): Promise<ComputationsPageFacts> {
  const { baseUrl, version, pipelines, canCompute } = deps;
  const offered = canCompute ? pipelines : [];
  const [pictures, known] = await Promise.all([picturesOf(deps), deps.documents.known(() => findExampleNames(deps))]);
  const bodyOf = (pipeline: AnyPipeline): object => {
    const body = exampleBody(pipeline.examples[0]?.request);
    return { ...body, ...Object.fromEntries(Object.entries(known.body).filter(([name]) => Object.hasOwn(body, name))) };
  };
  return {
    prefix: pageLinks(baseUrl).prefix,
    baseUrl,
    version,
    // Without a viewer the plain reference is at the address of the viewer.
    reference: deps.documents.viewer === undefined ? paths.docs : paths.plainDocs,
    language,
    lang,
    computations: offered.map((pipeline) => ({
      ...listingOf(pipeline),
      summary: pipeline.summary,
      path: computePath(pipeline.route),
      operation: `compute_${pipeline.route}`,
      makers: (pipeline.dependsOn ?? []).flatMap((name) => {
        const maker = offered.find((each) => each.name === name);
        return maker === undefined ? [] : [{ title: listingOf(maker).title, href: `#${entryId(name)}` }];
      }),
      data: pipeline.data ?? [],
      form: computeFormAddress(deps, { layer: pipeline.name }),
      body: bodyOf(pipeline),
      picture: pictures.get(pipeline.name),
    })),
  };
}

/** For each pipeline, a layer of its newest run that has a preview; a pipeline without such a layer is left out. */
async function picturesOf(deps: Deps): Promise<ReadonlyMap<string, NonNullable<ShownComputation['picture']>>> {
  const pictures = new Map<string, NonNullable<ShownComputation['picture']>>();
  const versions = await deps.stores.catalog.newest({ runs: RUNS_WITH_PICTURES });
  const byRun = [...Map.groupBy(versions, ({ runId }) => runId)];
  const runs = await fewAtOnce(byRun, ([runId]) => deps.stores.runs.get(runId));
  // The newest run of each pipeline is set last.
  const firstOf = new Map(byRun.map(([, own], at) => [runs[at]?.pipeline ?? '', own] as const).toReversed());
  for (const [pipeline, own] of firstOf) {
    const layers = await deps.summaries.of(own);
    const layer = layers.find((each) => previewSrc(each, deps) !== undefined);
    const src = layer && previewSrc(layer, deps);
    if (layer !== undefined && src !== undefined) pictures.set(pipeline, { ...shownLayer(layer, deps), src });
  }
  return pictures;
}
