import type { ServiceDeps } from '../../deps.ts';
import type { FirstPageFacts } from '../../pages/first-page.ts';
import { exampleBody } from '../../wire/example-body.ts';
import { computePath } from '../../wire/paths.ts';
import { firstTehsil } from '../first-tehsil.ts';
import { shownPublications } from './publications.ts';

/** What the first page tells; `before` is a run's id, of the page before. */
export async function firstPageFacts(deps: ServiceDeps, before: string | undefined): Promise<FirstPageFacts> {
  const { baseUrl, version, publication, pipelines } = deps;
  const [health, shown, computation] = await Promise.all([
    deps.health(),
    shownPublications(deps, before),
    firstComputation(deps),
  ]);
  const offers = pipelines.map(({ summary, route }) => ({ summary, path: computePath(route) }));
  return { baseUrl, title: publication.title, version, health, ...shown, offers, computation };
}

/** A request that starts a computation on a place of the directory, where there is one; undefined where nothing is computed. */
async function firstComputation(deps: ServiceDeps): Promise<FirstPageFacts['computation']> {
  const [pipeline] = deps.pipelines;
  if (pipeline === undefined || !deps.canCompute) return undefined;
  const body = exampleBody(pipeline.examples[0]?.request);
  const found = await firstTehsil(deps.stores.places).catch(() => undefined);
  const [state, district, block] = found?.names ?? [];
  const place = found === undefined ? {} : { state, district, block };
  const known = Object.entries(place).filter(([name]) => Object.hasOwn(body, name));
  return { path: computePath(pipeline.route), body: { ...body, ...Object.fromEntries(known) } };
}
