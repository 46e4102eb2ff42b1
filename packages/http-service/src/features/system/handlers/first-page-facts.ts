import type { Ports } from '../../../deps.ts';
import type { FirstPageFacts } from '../page/first-page.ts';
import { exampleBody } from '../../../wire/example-body.ts';
import { computePath } from '../../../wire/paths.ts';
import { knownHere } from './known-here.ts';
import { shownPublications } from '../../../items/publications.ts';

/** What the first page tells; `before` is a run's id, of the page before. */
export async function firstPageFacts(
  deps: Ports<
    | 'accounts'
    | 'baseUrl'
    | 'canCompute'
    | 'documents'
    | 'featured'
    | 'health'
    | 'logger'
    | 'pipelines'
    | 'publication'
    | 'stores'
    | 'summaries'
    | 'version'
    | 'workService'
  >,
  before: string | undefined,
): Promise<FirstPageFacts> {
  const { baseUrl, version, publication, pipelines } = deps;
  const [health, shown, computation] = await Promise.all([
    deps.health(),
    shownPublications(deps, before),
    firstComputation(deps),
  ]);
  const offers = pipelines.map(({ summary, route }) => ({ summary, path: computePath(route) }));
  return { baseUrl, title: publication.title, version, health, ...shown, offers, computation };
}

/** A request that starts a computation on the place of the reference's lines, and for its years; undefined where nothing is computed. */
async function firstComputation(
  deps: Ports<'accounts' | 'canCompute' | 'documents' | 'featured' | 'pipelines' | 'stores' | 'workService'>,
): Promise<FirstPageFacts['computation']> {
  const [pipeline] = deps.pipelines;
  if (pipeline === undefined || !deps.canCompute) return undefined;
  const body = exampleBody(pipeline.examples[0]?.request);
  const known = await deps.documents.known(() => knownHere(deps));
  const members = Object.entries(known.body).filter(([name]) => Object.hasOwn(body, name));
  return { path: computePath(pipeline.route), body: { ...body, ...Object.fromEntries(members) } };
}
