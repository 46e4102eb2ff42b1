import type { AnyPipeline, Run, TehsilNames } from '@headwater/core';
import { hasEnded, isScopeRun, type RunLogLine, scopeParams } from '@headwater/core/runs';
import type { UserPrincipal } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { itemAddress } from '../../../items/public-item.ts';
import { listingOf } from '../../../items/pipeline-listing.ts';
import { creditsOf } from '../../../layers/credits.ts';
import { textAt } from '../../../layers/read-item.ts';
import { pageLinks } from '../../../pages/layout.ts';
import type { Crumb } from '../../../pages/parts.ts';
import type { OpenForm } from '../../../screens/form-check.ts';
import type { Reader } from '../../../screens/replies.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { tehsilReportAddress, workbookAddress } from '../../reports/schemas/report-addresses.ts';
import type { RunPageFacts } from '../page/run-page.ts';
import type { NamedRun } from '../page/runs-page.ts';
import { runView } from '../schemas/run-view.ts';
import { publisherOf, tablesBy } from './run-body.ts';
import { sceneUsageOf } from './scene-usage.ts';
import type { ScopeReportView } from '../schemas/scope-report.ts';
import { scopeReport } from './scope-report.ts';
import { requestOfRun } from './start-computation.ts';

/** Number of log lines on the page of a run. */
export const MOST_LINES = 200;
const LOG_PAGE = 5000;

/** Reader of the page of a run. */
export interface RunReader {
  readonly reader: Reader;
  readonly caller: UserPrincipal;
  /** Secret of the forms; undefined for a reader with an access token. */
  readonly form: Pick<OpenForm, 'token'> | undefined;
}

/** Adds to each run the text of the link to its page. */
export async function namedRuns(
  runs: readonly Run[],
  { language }: Pick<Reader, 'language'>,
  { pipelines, stores }: Ports<'pipelines' | 'stores'>,
): Promise<readonly NamedRun[]> {
  const ids = [...new Set(runs.map(({ params }) => params['tehsilId']))].filter((id) => typeof id === 'number');
  const names = ids.length === 0 ? [] : await stores.places.namesOf(ids);
  const tehsilOf = new Map<unknown, string>(names.map(({ tehsilId, tehsil }) => [tehsilId, tehsil]));
  return runs.map((run) => {
    const { tehsilId, startYear, endYear } = run.params;
    const area = scopeTitle(run);
    const years = [...new Set([startYear, endYear])].filter((year) => typeof year === 'number').join('-');
    const computed = area?.computes ?? run.pipeline;
    const pipeline = pipelines.find(({ name }) => name === computed);
    const title = titleOf(pipeline, language) ?? computed.replaceAll('_', ' ');
    const place = area?.name ?? tehsilOf.get(tehsilId) ?? '';
    return { ...run, title: [title, place, area?.years ?? years].filter((part) => part !== '').join(', ') };
  });
}

function scopeTitle(
  run: Run,
): { readonly computes: string; readonly name: string; readonly years: string } | undefined {
  if (!isScopeRun(run)) return undefined;
  const { computes, state, district, request } = scopeParams.parse(run.params);
  const years = [...new Set([request['startYear'], request['endYear']])].filter((year) => typeof year === 'number');
  return { computes, name: district ?? state, years: years.join('-') };
}

type Deps = Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'publication' | 'runs' | 'stores' | 'version'>;

/** Data of a run's page. */
export async function runFacts(run: Run, { reader, caller, form }: RunReader, deps: Deps): Promise<RunPageFacts> {
  const { baseUrl, version, publication } = deps;
  const { here } = pageLinks(baseUrl);
  const view = runView(run, baseUrl);
  const published = await deps.stores.catalog.itemsOfRun(publisherOf(run));
  const { tehsilId } = run.params;
  const [names] = typeof tehsilId === 'number' ? await deps.stores.places.namesOf([tehsilId]) : [];
  const report = await scopeReport(run, caller, deps);
  const computed = report?.pipeline ?? run.pipeline;
  const pipeline = deps.pipelines.find(({ name }) => name === computed);
  const area = report && [report.district, report.state].filter((name) => name !== null).join(', ');
  return {
    reader,
    id: run.id,
    pipeline: computed,
    report,
    title: titleOf(pipeline, reader.language),
    state: run.state,
    progress: run.progress,
    step: run.step,
    cancelRequested: run.cancelRequested,
    place: names === undefined ? area : `${names.tehsil}, ${names.district}, ${names.state}`,
    params: view.params,
    failure: view.error?.message,
    createdAt: run.createdAt,
    seconds: view.execution_time ?? undefined,
    sceneUsage: (report === undefined ? await sceneUsageOf(run, deps) : report.scene_usage) ?? undefined,
    log: await lastLines(deps, { caller, id: run.id }),
    mostLines: MOST_LINES,
    tables: (await tablesBy(run, deps)).map(({ name, links }) => ({
      title: reader.say('tableNamed', { name }),
      href: here(links.json) ?? '',
    })),
    layers: published.map((each) => {
      const title = textAt(each.item, 'properties', 'title') ?? each.id;
      return {
        title: each.replaced ? reader.say('replacedLater', { title }) : title,
        href: here(itemAddress(each, baseUrl)) ?? '',
      };
    }),
    files: run.state === 'success' && names !== undefined ? await filesOf(names, reader, deps) : [],
    // The dashboard has its own address for events, because the API does not accept a browser's session.
    events:
      form === undefined
        ? (here(view.links.events) ?? '')
        : reader.prefix + fill(paths.dashboardRunEvents, { id: run.id }),
    form:
      form === undefined
        ? undefined
        : {
            token: form.token,
            canCancel: !hasEnded(run) && !run.cancelRequested,
            canRetry: mayRetry(caller, deps) && (await isRetryable(run, report, deps)),
            pause:
              report === undefined || hasEnded(run) || run.cancelRequested
                ? undefined
                : report.paused
                  ? 'resume'
                  : 'pause',
          },
    self: view.links.self,
    eventsAddress: view.links.events,
    version,
    credits: creditsOf(
      publication,
      published.map(({ item }) => ({ attribution: textAt(item, 'properties', 'attribution') })),
    ),
  };
}

const titleOf = (pipeline: AnyPipeline | undefined, language: Reader['language']): string | undefined =>
  pipeline?.listing === undefined ? undefined : listingOf(pipeline, language).title;

const mayRetry = ({ user }: UserPrincipal, { canCompute }: Ports<'canCompute'>): boolean =>
  canCompute && (user.mayCompute || user.isSuperuser);

async function isRetryable(run: Run, report: ScopeReportView | undefined, deps: Deps): Promise<boolean> {
  if (report !== undefined) return run.state === 'failed' || (!hasEnded(run) && (report.counts['failed'] ?? 0) > 0);
  return run.state === 'failed' && (await requestOfRun(run, deps)) !== undefined;
}

async function filesOf(
  names: TehsilNames,
  { prefix, language, say }: Reader,
  { stores }: Deps,
): Promise<readonly Crumb[]> {
  const { tehsil, tehsilId: id } = names;
  const hasTables = (await stores.data.tablesOf(id)).length > 0;
  return [
    { title: say('reportOf', { tehsil }), href: tehsilReportAddress(prefix, names, language) },
    ...(hasTables ? [{ title: say('workbookOf', { tehsil }), href: workbookAddress(prefix, names) }] : []),
  ];
}

/**
 * The last `MOST_LINES` log lines of a run. The log is read in pages, so that a long log is never in memory as a whole.
 */
export async function lastLines(
  { runs }: Ports<'runs'>,
  { caller, id }: { readonly caller: UserPrincipal; readonly id: string },
): Promise<readonly RunLogLine[]> {
  let last: readonly RunLogLine[] = [];
  for (let afterSeq = 0; ;) {
    const lines = await runs.log(caller, id, { afterSeq, limit: LOG_PAGE });
    last = [...last, ...lines.slice(-MOST_LINES)].slice(-MOST_LINES);
    if (lines.length < LOG_PAGE) return last;
    afterSeq = lines.at(-1)?.seq ?? 0;
  }
}
