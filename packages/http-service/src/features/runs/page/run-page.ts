import type { RunLogLine } from '@headwater/core/runs';
import { html } from 'hono/html';
import { hidden } from '../../../pages/form-parts.ts';
import { foot, page, type Html } from '../../../pages/layout.ts';
import { copyText, facts, inChosen, type Crumb } from '../../../pages/parts.ts';
import type { z } from 'zod';
import type { SceneUsage } from '../schemas/scene-usage.ts';
import { timeText } from './computing-time.ts';
import { tehsilsSection } from './tehsils-table.ts';
import { shellWord, WITH_TOKEN } from '../../../pages/shell-word.ts';
import { parameterLabel, type Say } from '../../../pages/texts.ts';
import { dayText } from '../../../pages/words.ts';
import type { Reader } from '../../../screens/replies.ts';
import type { ScopeReportView } from '../schemas/scope-report.ts';
import { fill, paths } from '../../../wire/paths.ts';

/** Data of the page of a run, for its owner or a superuser. */
export interface RunPageFacts {
  readonly reader: Reader;
  readonly id: string;
  readonly pipeline: string;
  /** Title of the layer; undefined if the layer is not listed. */
  readonly title: string | undefined;
  readonly state: 'queued' | 'running' | 'success' | 'failed';
  readonly progress: number;
  readonly step: string | null;
  readonly cancelRequested: boolean;
  readonly place: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly failure: string | undefined;
  readonly createdAt: string;
  /** Execution time, seconds; undefined before the end. */
  readonly seconds: number | undefined;
  /** Scenes from a platform; undefined if the run read no scenes from a platform. */
  readonly sceneUsage: z.infer<typeof SceneUsage> | undefined;
  readonly log: readonly RunLogLine[];
  readonly mostLines: number;
  readonly layers: readonly Crumb[];
  readonly tables: readonly Crumb[];
  readonly files: readonly Crumb[];
  readonly events: string;
  readonly report: ScopeReportView | undefined;
  /** Forms for the reader; undefined without a session. */
  readonly form:
    | {
        readonly token: string;
        readonly canCancel: boolean;
        readonly canRetry: boolean;
        /** Action of the pause button; absent for a run that cannot be paused. */
        readonly pause?: 'pause' | 'resume' | undefined;
      }
    | undefined;
  readonly self: string;
  readonly eventsAddress: string;
  readonly version: string;
  readonly credits: readonly string[];
}

const STATE_CLASS = { queued: 'off', running: 'off', success: 'ok', failed: 'failing' } as const;
const STATE_TEXT = { queued: 'queued', running: 'running', success: 'success', failed: 'failedRun' } as const;

type Words = Pick<Reader, 'say' | 'language'>;

/** Text of a state; in English, its name in the API. */
const stateText = ({ say, language }: Words, state: RunPageFacts['state']): string =>
  language === 'en' ? state : say(STATE_TEXT[state]);

/** Page of a run, for its owner or a superuser. A script updates progress and log. */
export function runPage(shown: RunPageFacts): Html {
  const { reader, id, pipeline, state, self, eventsAddress, version, credits } = shown;
  const { prefix, language, query, say, account } = reader;
  const published = [...shown.layers, ...shown.tables];
  const hasEnded = state === 'success' || state === 'failed';
  const body = html`<h1>${say('runOf', { name: shown.title ?? pipeline })}</h1>
    ${hasEnded ? ended(shown) : progressOf(shown)} ${buttons(shown)}
    ${shown.report === undefined ? '' : tehsilsSection(reader, shown.report)}
    ${
      published.length === 0
        ? ''
        : html`<h2>${say('publishedByRun')}</h2>
            ${linkList(published)} ${linkList(shown.files)}`
    }
    ${logOf(shown)}
    <h2>${say('theRequest')}</h2>
    ${facts([
      [say('thePlace'), shown.place],
      ...Object.entries(shown.params).map(
        ([name, value]) => [parameterLabel(name, language), valueText(value)] as const,
      ),
      [say('computingTime'), shown.sceneUsage && timeText(shown.sceneUsage, say)],
      [say('created'), dayText(shown.createdAt, language)],
      [say('id'), id],
    ])}
    <h2>${say('forPrograms')}</h2>
    <p>${say('tokenFirst')} <a href="${prefix}${paths.plainDocs}#lines">${say('signInCommandsLink')}</a></p>
    ${copyText(`curl -sw '\\n' ${WITH_TOKEN} ${shellWord(self)}`, say('fetchRun'))}
    ${copyText(`curl -N ${WITH_TOKEN} ${eventsAddress}`, say('followRun'))} ${foot(version, credits)}`;
  const title =
    language === 'en' ? `Run ${state}: ${pipeline}, ${id}` : `${stateText(reader, state)}: ${pipeline}, ${id}`;
  return page({ title, description: say('state'), prefix, body, script: true, account, language, query });
}

function linkList(links: readonly Crumb[]): Html | '' {
  if (links.length === 0) return '';
  return html`<ul class="plain">
    ${links.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
  </ul>`;
}

function ended({ reader, state, failure, seconds }: RunPageFacts): Html {
  const { say } = reader;
  const took = seconds === undefined ? '' : ` ${say('afterSeconds', { count: seconds.toFixed(1) })}`;
  return html`<p class="lead">
      ${say('runEnded')}: <strong class="${STATE_CLASS[state]}">${stateText(reader, state)}</strong>${took}.
    </p>
    ${failure === undefined ? '' : html`<p class="notice" lang="en">${failure}</p>`}`;
}

/** Facts about a run that has not ended. */
export interface LiveFacts extends Pick<RunPageFacts, 'state' | 'progress' | 'step' | 'events' | 'cancelRequested'> {
  readonly reader: Words;
  /** Target of the link that reloads the page, for readers without script. Default: the address in the browser. */
  readonly reload?: string;
}

/** State, step and progress of a run. The script of the page updates these facts. */
export function progressOf({ reader, reload = '', ...run }: LiveFacts): Html {
  const { say } = reader;
  const { state, progress, step, events, cancelRequested } = run;
  return html`<div
    class="card live"
    data-events="${events}"
    data-queued="${stateText(reader, 'queued')}"
    data-running="${stateText(reader, 'running')}"
    data-live="${say('isLive')}"
    data-away="${say('notLive')}"
  >
    <p>
      <strong data-part="state">${stateText(reader, state)}</strong>${cancelRequested ? `, ${say('cancelAsked')}` : ''}:
      <span data-part="step">${step === null ? say('stepWaiting') : step.replaceAll('_', ' ')}</span>
    </p>
    <progress data-part="bar" max="1" value="${progress}" aria-label="${say('progressOfRun')}"></progress>
    <p><span data-part="share">${Math.round(100 * progress)} %</span></p>
    <p class="soft">
      <span data-part="note" role="status">${say('asLoaded')}</span> <a href="${reload}">${say('reload')}</a>
    </p>
  </div>`;
}

function buttons({ reader, id, form, report }: RunPageFacts): Html | '' {
  if (form === undefined) return '';
  const { prefix, chosen, say } = reader;
  const one = (path: string, label: string, lead: Html | ''): Html =>
    html`<form class="form" method="post" action="${inChosen({ chosen }, prefix + fill(path, { id }))}">
      ${hidden('token', form.token)} ${lead}
      <p><button class="button plainer" type="submit">${label}</button></p>
    </form>`;
  const { canRetry, canCancel, pause } = form;
  const ofAll = report !== undefined;
  const lead = html`<p class="soft">${say(ofAll ? 'cancelAllLead' : 'cancelLead')}</p>`;
  return html`${canRetry ? one(paths.dashboardRunRetry, say(ofAll ? 'retryFailed' : 'retryRun'), '') : ''}
  ${pause === 'pause' ? one(paths.dashboardRunPause, say('pauseRun'), '') : ''}
  ${pause === 'resume' ? one(paths.dashboardRunResume, say('resumeRun'), '') : ''}
  ${canCancel ? one(paths.dashboardRunCancel, say(ofAll ? 'cancelAll' : 'cancelRun'), lead) : ''}`;
}

/** The log. The script of the page adds new lines, and removes the oldest lines above the limit. */
export function logOf({
  reader: { say },
  log,
  mostLines,
}: Pick<RunPageFacts, 'log' | 'mostLines'> & { readonly reader: Words }): Html {
  return html`<h2 id="log">${say('logLines')}</h2>
    ${log.length < mostLines ? '' : html`<p class="soft">${logHint(say, mostLines)}</p>`}
    <div class="log" role="region" tabindex="0" lang="en" aria-labelledby="log" data-log="${mostLines}">
      ${log.map(({ at, message }) => html`<p>${at.slice(11, 19)} ${message}</p> `)}
    </div>`;
}

const logHint = (say: Say, mostLines: number): string => say('logShort', { count: String(mostLines) });

function valueText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : JSON.stringify(value);
}
