import type { Run } from '@headwater/core';
import { html } from 'hono/html';
import { type Html, languageIn, page } from '../../../pages/layout.ts';
import { crumbs, pager } from '../../../pages/parts.ts';
import type { Say, TextName } from '../../../pages/texts.ts';
import { momentText } from '../../../pages/words.ts';
import type { Reader } from '../../../screens/replies.ts';
import { fill, paths } from '../../../wire/paths.ts';

const STATES: Readonly<Record<Run['state'], readonly [text: TextName, style: string]>> = {
  queued: ['queued', 'off'],
  running: ['running', 'off'],
  success: ['success', 'ok'],
  failed: ['failedRun', 'failing'],
};

/** A run with the text of its link: title of its pipeline, place, years. */
export type NamedRun = Run & { readonly title: string };

/** Runs as a table of links. */
export function runTable({ prefix, language, say }: Reader, runs: readonly NamedRun[]): Html {
  if (runs.length === 0) return html`<p class="empty">${say('noRuns')}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say('run')}">
    <table>
      <thead>
        <tr>
          <th scope="col">${say('run')}</th>
          <th scope="col">${say('state')}</th>
          <th scope="col">${say('created')}</th>
        </tr>
      </thead>
      <tbody>
        ${runs.map(
          (run) =>
            html`<tr>
              <td><a href="${prefix}${fill(paths.run, { id: run.id })}">${run.title}</a></td>
              <td>${stateOf(run, say)}</td>
              <td>${momentText(run.createdAt, language)}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function stateOf({ state, progress }: Run, say: Say): Html {
  const [text, style] = STATES[state];
  const share = state === 'running' ? ` ${Math.round(100 * progress)} %` : '';
  return html`<span class="${style}">${say(text)}${share}</span>`;
}

/** Data of a page of runs. */
export interface RunsPageFacts {
  readonly runs: readonly NamedRun[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly state?: Run['state'];
  readonly parent?: string;
  readonly ofAll: boolean;
}

/** Address of a page in the list of runs, relative to the address of the service. */
export function runsAddress({
  limit,
  offset,
  state,
  parent,
}: Pick<RunsPageFacts, 'limit' | 'offset' | 'state' | 'parent'>): string {
  const filters = [state === undefined ? '' : `&state=${state}`, parent === undefined ? '' : `&parent=${parent}`];
  return `${paths.runs}?limit=${limit}&offset=${offset}${filters.join('')}`;
}

/** A page of the list of runs. */
export function runsPage(reader: Reader, facts: RunsPageFacts): Html {
  const { runs, total, limit, offset, state, ofAll } = facts;
  const { prefix, language, query, say, account } = reader;
  const heading = say(ofAll ? 'runsOfAll' : 'myRuns');
  const number = Math.floor(offset / limit) + 1;
  const at = (from: number): string =>
    prefix + runsAddress({ ...facts, offset: from }) + languageIn(query).replace('?', '&');
  const shown = { from: String(offset + 1), to: String(offset + runs.length), total: String(total) };
  const body = html`${crumbs([{ title: say('dashboard'), href: prefix + paths.dashboard }], heading, say('breadcrumb'))}
    <h1>${heading}</h1>
    ${runTable(reader, runs)}
    ${pager(
      {
        ...(offset > 0 && { newer: at(Math.max(0, offset - limit)) }),
        ...(offset + runs.length < total && runs.length > 0 && { older: at(offset + limit) }),
        shown: say('rangeOf', shown),
      },
      [say('newer'), say('older')],
      say('pages'),
    )}`;
  const named = state === undefined ? heading : `${heading}: ${say(STATES[state][0])}`;
  const title = number === 1 ? named : say('pageNumber', { title: named, number: String(number) });
  return page({ title, description: heading, prefix, body, language, query, account });
}
