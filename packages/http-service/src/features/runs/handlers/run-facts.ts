import type { Run } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import type { RunPageFacts } from '../page/run-page.ts';
import { runView } from '../schemas/run-view.ts';
import { publisherOf, tablesBy } from './run-body.ts';
import { itemAddress } from '../../../items/public-item.ts';
import { pageLinks } from '../../../pages/links.ts';
import { creditsOf } from '../../../layers/credits.ts';
import { textAt } from '../../../layers/read-item.ts';

/** A run as its page tells it. */
export async function runFacts(
  run: Run,
  deps: Ports<'baseUrl' | 'publication' | 'stores' | 'version'>,
): Promise<RunPageFacts> {
  const { baseUrl, version, publication } = deps;
  const { prefix, here } = pageLinks(baseUrl);
  const view = runView(run, baseUrl);
  const published = await deps.stores.catalog.itemsOfRun(publisherOf(run));
  return {
    prefix,
    id: run.id,
    pipeline: run.pipeline,
    state: run.state,
    progress: run.progress,
    step: run.step,
    cancelRequested: run.cancelRequested,
    params: view.params,
    failure: view.error?.message,
    createdAt: run.createdAt,
    seconds: view.execution_time ?? undefined,
    tables: (await tablesBy(run, deps)).map(({ name, links }) => ({
      title: `Table ${name}`,
      href: here(links.json) ?? '',
    })),
    layers: published.map((each) => {
      const title = textAt(each.item, 'properties', 'title') ?? each.id;
      return {
        title: each.replaced ? `${title} (a later run made it anew)` : title,
        href: here(itemAddress(each, baseUrl)) ?? '',
      };
    }),
    events: here(view.links.events) ?? '',
    self: view.links.self,
    eventsAddress: view.links.events,
    version,
    credits: creditsOf(
      publication,
      published.map(({ item }) => ({ attribution: textAt(item, 'properties', 'attribution') })),
    ),
  };
}
