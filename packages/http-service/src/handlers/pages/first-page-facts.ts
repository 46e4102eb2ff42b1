import type { ServiceDeps } from '../../deps.ts';
import type { FirstPageFacts } from '../../pages/first-page.ts';
import { exampleBody } from '../../wire/compute/pipeline-body.ts';
import { computePath } from '../../wire/paths.ts';
import { shownPublications } from './publications.ts';

/** What the first page tells; `before` is a run's id, of the page before. */
export async function firstPageFacts(deps: ServiceDeps, before: string | undefined): Promise<FirstPageFacts> {
  const { baseUrl, version, credits, publication, pipelines } = deps;
  const [health, shown, computation] = await Promise.all([
    deps.health(),
    shownPublications(deps, before),
    firstComputation(deps),
  ]);
  const offers = pipelines.map(({ summary, route }) => ({ summary, path: computePath(route) }));
  return { baseUrl, title: publication.title, version, health, ...shown, credits, offers, computation };
}

/** A request that starts a computation on a place of the directory, where there is one; undefined where nothing is computed. */
async function firstComputation(deps: ServiceDeps): Promise<FirstPageFacts['computation']> {
  const [pipeline] = deps.pipelines;
  if (pipeline === undefined || !deps.canCompute) return undefined;
  const body = exampleBody(pipeline.examples[0]?.request);
  const place = await firstPlace(deps).catch(() => undefined);
  const known = Object.entries(place ?? {}).filter(([name]) => Object.hasOwn(body, name));
  return { path: computePath(pipeline.route), body: { ...body, ...Object.fromEntries(known) } };
}

async function firstPlace({ stores: { places } }: ServiceDeps): Promise<Readonly<Record<string, string>> | undefined> {
  for (const state of await places.states()) {
    for (const district of await places.districts(state.id)) {
      const [tehsil] = await places.tehsilUnits(district.id);
      if (tehsil !== undefined) return { state: state.name, district: district.name, block: tehsil.name };
    }
  }
  return undefined;
}
