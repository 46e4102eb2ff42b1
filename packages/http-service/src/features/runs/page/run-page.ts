import { shellWord, WITH_TOKEN } from '../../../pages/shell-word.ts';
import { paths } from '../../../wire/paths.ts';
import { html } from 'hono/html';
import { type Account, foot, page, type Html } from '../../../pages/layout.ts';
import { copyText, facts, type Crumb } from '../../../pages/parts.ts';
import { dayText } from '../../../pages/words.ts';

/** Data of the page of a run, for its owner. */
export interface RunPageFacts {
  readonly prefix: string;
  readonly id: string;
  readonly pipeline: string;
  readonly state: 'queued' | 'running' | 'success' | 'failed';
  /** Progress, 0-1. */
  readonly progress: number;
  readonly step: string | null;
  readonly cancelRequested: boolean;
  /** Parameters of the request, by their names in HTTP requests. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Message of the failure; undefined if the run did not fail. */
  readonly failure: string | undefined;
  readonly createdAt: string;
  /** Execution time, seconds; undefined before the run has ended. */
  readonly seconds: number | undefined;
  /** Published layers. */
  readonly layers: readonly Crumb[];
  readonly tables: readonly Crumb[];
  /** Address of the run's events, without the origin. */
  readonly events: string;
  /** Absolute address of the run. */
  readonly self: string;
  readonly eventsAddress: string;
  /** Link of the shell to the dashboard; absent without a session. */
  readonly account: Account | undefined;
  readonly version: string;
  readonly credits: readonly string[];
}

const STATE_CLASS = { queued: 'off', running: 'off', success: 'ok', failed: 'failing' } as const;

/** Page of a run for its owner: the results and the progress, which our script updates. */
export function runPage(shown: RunPageFacts): Html {
  const { prefix, id, pipeline, state, self, eventsAddress, version, credits } = shown;
  const published = [...shown.layers, ...shown.tables];
  const hasEnded = state === 'success' || state === 'failed';
  const body = html`<h1>Run of ${pipeline}</h1>
    ${hasEnded ? ended(shown) : progressOf(shown)}
    ${
      published.length === 0
        ? ''
        : html`<h2>Published by this run</h2>
            <ul class="plain">
              ${published.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
            </ul>`
    }
    <h2>Request</h2>
    ${facts([
      ...Object.entries(shown.params).map(([name, value]) => [labelText(name), valueText(value)] as const),
      ['Created', dayText(shown.createdAt)],
      ['Id', id],
    ])}
    <h2>For programs</h2>
    <p><a href="${prefix}${paths.plainDocs}#lines">Sign in</a>, which stores the token in <code>TOKEN</code>.</p>
    ${copyText(`curl -sw '\\n' ${WITH_TOKEN} ${shellWord(self)}`, 'the command that fetches this run')}
    ${copyText(`curl -N ${WITH_TOKEN} ${eventsAddress}`, 'the command that follows this run')} ${foot(version, credits)}`;
  return page({
    title: `Run ${state}: ${pipeline}, ${id}`,
    description: 'State of a run.',
    prefix,
    body,
    script: true,
    account: shown.account,
  });
}

function ended({ state, failure, seconds }: RunPageFacts): Html {
  const took = seconds === undefined ? '' : ` after ${seconds.toFixed(1)} seconds`;
  return html`<p class="lead">The run ended: <strong class="${STATE_CLASS[state]}">${state}</strong>${took}.</p>
    ${failure === undefined ? '' : html`<p class="notice">${failure}</p>`}`;
}

function progressOf({ state, progress, step, events, cancelRequested }: RunPageFacts): Html {
  return html`<div class="card live" data-events="${events}">
    <p>
      <strong data-part="state">${state}</strong>${cancelRequested ? ', cancellation requested' : ''}:
      <span data-part="step">${step === null ? 'waiting' : step.replaceAll('_', ' ')}</span>
    </p>
    <progress data-part="bar" max="1" value="${progress}" aria-label="Progress of the run"></progress>
    <p><span data-part="share">${Math.round(100 * progress)} %</span> <span data-part="line"></span></p>
    <p class="soft">
      <span data-part="note" role="status">The state at the time when this page was loaded.</span> <a href="">Reload</a>
    </p>
  </div>`;
}

/** Converts a name such as `start_year` to `Start year`. */
function labelText(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function valueText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : JSON.stringify(value);
}
