import { html } from 'hono/html';
import { foot, page, type Html } from '../../../pages/layout.ts';
import { pager, type Pages } from '../../../pages/parts.ts';
import { dayText } from '../../../pages/words.ts';
import { paths } from '../../../wire/paths.ts';
import type { RunView } from '../schemas/run-view.ts';

/** Data of the page of runs. */
export interface RunsPageFacts {
  readonly prefix: string;
  readonly version: string;
  /** Title of each run's result, its address and the names of its place. */
  readonly shown: readonly {
    readonly run: RunView;
    readonly title: string;
    readonly href: string;
    readonly place: string;
  }[];
  /** Number of all runs with this state. */
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  /** Only runs in this state are listed; undefined: all. */
  readonly state: RunView['state'] | undefined;
  readonly pages: Pages;
  /** True if runs of all accounts are listed. */
  readonly all: boolean;
}

/** Default number of runs on a page. */
export const RUNS_PER_PAGE = 50;

const STATES = ['queued', 'running', 'success', 'failed'] as const;
const STATE_CLASS = { queued: 'off', running: 'off', success: 'ok', failed: 'failing' } as const;

/** Page of the caller's runs, newest first; a superuser sees those of all accounts. */
export function runsPage(facts: RunsPageFacts): Html {
  const { prefix, version, shown, total, offset, limit, state, pages, all } = facts;
  const heading = `${all ? 'All runs' : 'My runs'}${state === undefined ? '' : `: ${state}`}`;
  const number = Math.floor(offset / limit) + 1;
  const range = shown.length === 0 ? {} : { shown: `${offset + 1} to ${offset + shown.length} of ${total}` };
  const body = html`<h1>${heading}</h1>
    <p class="lead">
      A run computes layers of one place. Its page shows the progress and the result.
      <a href="${prefix}${paths.computations}">What can be computed</a>
    </p>
    <nav aria-label="State of the runs">
      <ul class="filters">
        ${[undefined, ...STATES].map((each) => stateLink(each, facts))}
      </ul>
    </nav>
    ${shown.length === 0 ? html`<p class="empty">There are no runs here.</p>` : listOf(shown)}
    ${pager({ ...pages, ...range }, ['Newer', 'Older'])} ${foot(version, [])}`;
  const title = [
    heading,
    ...(number > 1 || limit !== RUNS_PER_PAGE ? [`page ${number}`] : []),
    ...(limit === RUNS_PER_PAGE ? [] : [`${limit} runs a page`]),
  ].join(', ');
  return page({ title: `${title}: Headwater`, description: 'Runs, newest first.', prefix, body });
}

function stateLink(each: RunsPageFacts['state'], { prefix, state }: RunsPageFacts): Html {
  const href = `${prefix}${paths.runs}${each === undefined ? '' : `?state=${each}`}`;
  const text = each ?? 'all';
  return html`<li>
    ${each === state ? html`<a href="${href}" aria-current="page">${text}</a>` : html`<a href="${href}">${text}</a>`}
  </li> `;
}

function listOf(shown: RunsPageFacts['shown']): Html {
  return html`<ul class="found" aria-label="Runs">
    ${shown.map(({ run, href, title, place }) => {
      const where = [place, yearsOf(run)].filter((part) => part !== '').join(': ');
      return html`<li>
        <a href="${href}">${title}</a>
        <p>
          ${where === '' ? '' : html`${where} · `}<span class="${STATE_CLASS[run.state]}">${run.state}</span>
          · ${Math.round(100 * run.progress)} % · ${dayText(run.created_at)}
        </p>
      </li> `;
    })}
  </ul>`;
}

function yearsOf({ params }: RunView): string {
  const years = [params['start_year'], params['end_year']].filter((year) => typeof year === 'number');
  return [...new Set(years)].join(' to ');
}
