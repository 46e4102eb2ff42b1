import { DomainError, placeSlug, type Run } from '@headwater/core';
import type { ListedRun, OpenWork, RunBackend, RunOrder } from '@headwater/core/ports';
import { hasEnded, isRunId } from '@headwater/core/runs';
import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import { itemAddress } from '../../../items/public-item.ts';
import { textAt } from '../../../layers/read-item.ts';
import { type Html, pageLinks } from '../../../pages/layout.ts';
import type { Crumb } from '../../../pages/parts.ts';
import { sayIn } from '../../../pages/texts.ts';
import { momentText } from '../../../pages/words.ts';
import { localText } from '../../../pages/texts.ts';
import type {
  AdminAction,
  AdminCaller,
  AdminChoice,
  AdminDetail,
  AdminQuery,
  AdminResource,
  AdminRow,
  AdminValue,
  LocalText,
} from '../../../seam/admin-resource.ts';
import { fill, paths } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';
import { publisherOf, tablesBy } from '../../runs/handlers/run-body.ts';
import { lastLines, MOST_LINES } from '../../runs/handlers/run-facts.ts';
import { logOf, progressOf } from '../../runs/page/run-page.ts';
import { requestOfRun, startComputation } from '../../runs/handlers/start-computation.ts';
import { adminHref } from '../page/admin-parts.ts';
import { runView } from '../../runs/schemas/run-view.ts';

type RunDeps = Ports<'backend' | 'baseUrl' | 'canCompute' | 'pipelines' | 'runs' | 'stores'>;

const MOST_OWNERS = 200;
const MOST_IN_QUEUE = 10;

const T = {
  run: localText('adminRun'),
  place: localText('thePlace'),
  owner: localText('owner'),
  state: localText('state'),
  created: localText('created'),
  started: localText('started'),
  finished: localText('ended'),
  duration: localText('duration'),
  backend: localText('adminComputedBy'),
  pipeline: localText('pipeline'),
  queued: localText('adminWaiting'),
  running: localText('adminRunning'),
  success: localText('succeeded'),
  failed: localText('adminFailed'),
  cancelling: localText('runningCancellationRequested'),
  unowned: localText('workService'),
  queue: localText('theQueue'),
  oldest: localText('oldestWaitingSince'),
  workers: localText('workersThatHoldARun'),
  ownerCount: localText('owners'),
  attempts: localText('attempts'),
  progress: localText('progress'),
  step: localText('step'),
  worker: localText('worker'),
  requestId: localText('idOfTheHttpRequest'),
  parent: localText('requestedByRun'),
  after: localText('waitsForRuns'),
  live: localText('livePageOfTheRun'),
  atOrchestrator: localText('atTheOrchestrator'),
  request: localText('theRequest'),
  results: localText('results'),
  failure: localText('failure'),
  task: localText('failedTask'),
  id: localText('id'),
  item: localText('stacItem'),
  layer: localText('theLayer'),
  table: localText('table'),
} as const satisfies Readonly<Record<string, LocalText>>;

const STATES = ['queued', 'running', 'success', 'failed'] as const;
const TONES = { queued: 'off', running: 'off', success: 'ok', failed: 'failing' } as const;
const BACKENDS: Readonly<Record<RunBackend, LocalText>> = {
  local: localText('thisService'),
  orchestrator: localText('orchestrator'),
};

const isOneOf = <T extends string>(choices: readonly T[], text: string | undefined): text is T =>
  choices.some((choice) => choice === text);

/** Runs of all users, with the queue above the list. */
export function runsResource(deps: RunDeps): AdminResource {
  const { stores } = deps;
  const named = (value: string, label: LocalText): AdminChoice => ({ value, label });
  return {
    name: 'runs',
    title: localText('runs'),
    one: localText('oneRun'),
    section: 'work',
    lead: localText('computationsAndImportsOfAll'),
    columns: [
      { name: 'run', label: T.run },
      { name: 'place', label: T.place },
      { name: 'owner', label: T.owner },
      { name: 'state', label: T.state, isSortable: true },
      { name: 'created', label: T.created, isSortable: true },
      { name: 'duration', label: T.duration, isSortable: true },
      { name: 'backend', label: T.backend },
    ],
    filters: [
      { name: 'state', label: T.state, choices: STATES.map((state) => named(state, T[state])) },
      { name: 'pipeline', label: T.pipeline, choices: deps.pipelines.map(({ name }) => named(name, { en: name })) },
      {
        name: 'backend',
        label: T.backend,
        choices: Object.entries(BACKENDS).map(([value, label]) => named(value, label)),
      },
    ],
    search: localText('searchByUserNameOf'),
    list: async (query, caller) => await listRuns(query, caller, deps),
    listParts: async ({ language }) => {
      const work = await stores.operatorLists.openWork(MOST_IN_QUEUE);
      const names = await stores.users.usernames(work.most.flatMap(({ ownerId }) => ownerId ?? []));
      return [queuePart(work, names, language)];
    },
    find: async (id, caller) => {
      const run = isRunId(id) ? await stores.runs.get(id) : undefined;
      return run === undefined ? undefined : await detailOf(run, caller, deps);
    },
    // The state is a field, so that the audit log shows its changes with this label and these choices.
    fields: [
      {
        name: 'state',
        label: T.state,
        kind: 'select',
        isReadOnly: true,
        choices: STATES.map((state) => named(state, T[state])),
      },
    ],
    actions: [cancelAction(deps), retryAction(deps)],
  };
}

async function listRuns({ search, filters, sort, limit, offset }: AdminQuery, caller: AdminCaller, deps: RunDeps) {
  const { users, operatorLists } = deps.stores;
  const { state, pipeline, backend } = filters;
  const columns: readonly RunOrder[] = ['created', 'duration', 'state'];
  const order = isOneOf(columns, sort?.column) ? sort.column : 'created';
  const { rows, total } = await operatorLists.runs({
    limit,
    offset,
    order,
    isDescending: sort?.isDescending ?? true,
    pipeline,
    ...(isOneOf(STATES, state) && { state }),
    ...(isOneOf(['local', 'orchestrator'] as const, backend) && { backend }),
    ...(search !== '' && {
      search: { id: search, slug: placeSlug(search), ownerIds: await users.idsNamed(search, MOST_OWNERS) },
    }),
  });
  const names = await users.usernames([...new Set(rows.flatMap(({ ownerId }) => ownerId ?? []))]);
  return { rows: rows.map((run) => rowOf(run, names, caller.language)), total };
}

type Names = ReadonlyMap<number, string>;

function rowOf(run: ListedRun, names: Names, language: Language): AdminRow {
  const { id, pipeline, ownerId, state, progress, createdAt, startedAt, finishedAt, backend, place } = run;
  const share = state === 'running' ? ` ${Math.round(100 * progress)} %` : '';
  return {
    id,
    values: {
      // With the end of the id, no two links of the list have the same text.
      run: `${pipeline} ${id.slice(-8)}`,
      place: place === null ? null : place.tehsil,
      owner: ownerValue(ownerId, names, language),
      state: { text: say(T[state], language) + share, tone: TONES[state] },
      created: momentText(createdAt, language),
      duration: durationText(startedAt, finishedAt),
      backend: say(BACKENDS[backend], language),
    },
  };
}

const say = (text: LocalText, language: Language): string => text[language] ?? text.en;

function ownerValue(ownerId: number | null, names: Names, language: Language): AdminValue {
  if (ownerId === null) return say(T.unowned, language);
  return { text: names.get(ownerId) ?? String(ownerId), href: `/admin/users/${ownerId}/` };
}

function durationText(startedAt: string | null, finishedAt: string | null): string | null {
  if (startedAt === null || finishedAt === null) return null;
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function queuePart(work: OpenWork, names: Names, language: Language): Html {
  const numbers: readonly (readonly [LocalText, string])[] = [
    [T.queued, String(work.queued)],
    [T.running, String(work.running)],
    [T.oldest, work.oldestAt === null ? '—' : momentText(work.oldestAt, language)],
    [T.workers, String(work.workers)],
    [T.ownerCount, String(work.owners)],
  ];
  const text = (label: LocalText): string => say(label, language);
  return html`<section aria-labelledby="queue">
    <h2 id="queue">${text(T.queue)}</h2>
    <dl class="facts">
      ${numbers.map(
        ([label, value]) =>
          html`<div>
            <dt>${text(label)}</dt>
            <dd>${value}</dd>
          </div> `,
      )}
    </dl>
    ${
      work.most.length === 0
        ? ''
        : html`<table>
            <thead>
              <tr>
                ${[T.owner, T.queued, T.running].map((label) => html`<th scope="col">${text(label)}</th> `)}
              </tr>
            </thead>
            <tbody>
              ${work.most.map(
                ({ ownerId, queued, running }) =>
                  html`<tr>
                    <td>${ownerId === null ? text(T.unowned) : (names.get(ownerId) ?? String(ownerId))}</td>
                    <td>${queued}</td>
                    <td>${running}</td>
                  </tr> `,
              )}
            </tbody>
          </table>`
    }
  </section>`;
}

/** Names of the members of `AdminDetail.texts` that are `on` if a run can be cancelled or started again. */
const CAN_CANCEL = 'can_cancel';
const CAN_RETRY = 'can_retry';

async function detailOf(run: Run, caller: AdminCaller, deps: RunDeps): Promise<AdminDetail> {
  const { language } = caller;
  const { state, ownerId, params, cancelRequested } = run;
  const { tehsilId } = params;
  const [place] = typeof tehsilId === 'number' ? await deps.stores.places.namesOf([tehsilId]) : [];
  const names = await deps.stores.users.usernames(ownerId === null ? [] : [ownerId]);
  const canRetry = state === 'failed' && deps.canCompute && (await requestOfRun(run, deps)) !== undefined;
  const moment = (time: string | null): AdminValue => (time === null ? null : momentText(time, language));
  const runLink = (id: string | null): AdminValue => (id === null ? null : { text: id, href: `/admin/runs/${id}/` });
  const page = deps.backend.pageOf?.(run);
  const facts: readonly (readonly [LocalText, AdminValue])[] = [
    [T.pipeline, run.pipeline],
    [T.place, place === undefined ? null : `${place.tehsil}, ${place.district}, ${place.state}`],
    [T.owner, ownerValue(ownerId, names, language)],
    [T.live, { text: say(T.live, language), href: fill(paths.run, { id: run.id }) }],
    [T.created, moment(run.createdAt)],
    [T.started, moment(run.startedAt)],
    [T.finished, moment(run.finishedAt)],
    [T.duration, durationText(run.startedAt, run.finishedAt)],
    [T.attempts, run.attempt],
    [T.progress, `${Math.round(100 * run.progress)} %`],
    [T.step, run.step],
    [T.backend, say(BACKENDS[run.backend], language)],
    [T.worker, run.workerId],
    [T.requestId, run.requestId],
    [T.parent, runLink(run.parentId)],
    ...run.after.map((id) => [T.after, runLink(id)] as const),
    [T.atOrchestrator, page === undefined ? run.dagRunId : { text: run.dagRunId ?? page, href: page }],
    [T.id, run.id],
  ];
  return {
    title: [run.pipeline, ...(place === undefined ? [] : [place.tehsil])].join(', '),
    texts: {
      state,
      [CAN_CANCEL]: hasEnded(run) || cancelRequested ? '' : 'on',
      [CAN_RETRY]: canRetry ? 'on' : '',
    },
    facts: [
      ...(cancelRequested && !hasEnded(run) ? [[T.state, say(T.cancelling, language)] as const] : []),
      ...facts.filter(([, value]) => value !== null),
    ],
    top: hasEnded(run) ? [] : [livePart(run, caller)],
    parts: await partsOf(run, caller, deps),
  };
}

function livePart({ id, state, progress, step, cancelRequested }: Run, caller: AdminCaller): Html {
  const { language, prefix } = caller;
  const events = prefix + fill(paths.dashboardRunEvents, { id });
  const reader = { say: sayIn(language), language };
  return progressOf({ reader, state, progress, step, cancelRequested, events, reload: adminHref(caller, 'runs', id) });
}

async function partsOf(run: Run, caller: AdminCaller, deps: RunDeps): Promise<readonly Html[]> {
  const { language } = caller;
  const { params, error } = runView(run, deps.baseUrl);
  const text = (label: LocalText): string => say(label, language);
  const reader = { say: sayIn(language), language };
  const results = await resultsOf(run, text, deps);
  return [
    ...(error === null ? [] : [failurePart(error, text)]),
    ...(results.length === 0
      ? []
      : [
          html`<h2>${text(T.results)}</h2>
            <ul class="plain">
              ${results.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
            </ul>`,
        ]),
    html`<h2>${text(T.request)}</h2>
      <pre class="wraps" tabindex="0" aria-label="${text(T.request)}">${JSON.stringify(params, null, 2)}</pre>`,
    logOf({ reader, log: await lastLines(deps, { caller: caller.principal, id: run.id }), mostLines: MOST_LINES }),
  ];
}

type Text = (label: LocalText) => string;

function failurePart({ message, details }: NonNullable<ReturnType<typeof runView>['error']>, text: Text): Html {
  const { task = null, excerpt = '' } = details ?? {};
  return html`<h2>${text(T.failure)}</h2>
    <p class="notice" lang="en">${message}</p>
    ${task === null ? '' : html`<p>${text(T.task)}: ${task}</p>`}
    ${excerpt === '' ? '' : html`<pre class="wraps" tabindex="0" aria-label="${text(T.failure)}">${excerpt}</pre>`}`;
}

async function resultsOf(run: Run, text: Text, deps: RunDeps): Promise<readonly Crumb[]> {
  if (run.state !== 'success') return [];
  const { prefix, here } = pageLinks(deps.baseUrl);
  const { catalog } = deps.stores;
  const items = await catalog.itemsOfRun(publisherOf(run));
  const current = new Set(items.flatMap(({ id, replaced }) => (replaced ? [] : [id])));
  const { tehsilId } = run.params;
  const layers = typeof tehsilId === 'number' ? await catalog.layersOf(tehsilId) : [];
  return [
    ...items.map((each) => {
      const title = textAt(each.item, 'properties', 'title') ?? each.id;
      return { title: `${text(T.item)}: ${title}`, href: here(itemAddress(each, deps.baseUrl)) ?? '' };
    }),
    ...layers
      .filter(({ itemId }) => current.has(itemId))
      .map(({ workspace, layerName }) => {
        const name = `${workspace}:${layerName}`;
        return { title: `${text(T.layer)}: ${name}`, href: `${prefix}/admin/layers/${encodeURIComponent(name)}/` };
      }),
    ...(await tablesBy(run, { ...deps })).map(({ name, links }) => ({
      title: `${text(T.table)}: ${name}`,
      href: here(links.json) ?? '',
    })),
  ];
}

function cancelAction({ runs }: RunDeps): AdminAction {
  return {
    name: 'cancel',
    label: localText('adminCancel'),
    isBulk: true,
    isOffered: ({ texts }) => texts[CAN_CANCEL] === 'on',
    run: async (id, { principal }) => {
      await runs.cancel(principal, id);
      return {};
    },
  };
}

function retryAction(deps: RunDeps): AdminAction {
  return {
    name: 'retry',
    label: localText('startAgainAsYourRun'),
    isBulk: true,
    isOffered: ({ texts }) => texts[CAN_RETRY] === 'on',
    run: async (id, { principal }) => {
      const run = await deps.runs.get(principal, id);
      const found = await requestOfRun(run, deps);
      if (found === undefined)
        throw new DomainError(
          'conflict',
          `Run ${id} cannot be started again, because its pipeline or its place no longer exists.`,
        );
      const options = { withDependencies: run.after.length > 0 };
      const started = (await startComputation(deps, { principal, ...found, options })).run.id;
      return { notice: localText('startedAsRun', { started }) };
    },
  };
}
