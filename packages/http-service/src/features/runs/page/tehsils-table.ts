import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import type { Say, TextName } from '../../../pages/texts.ts';
import { durationText } from '../../../pages/words.ts';
import type { Reader } from '../../../screens/replies.ts';
import { eecuText } from './computing-time.ts';
import { fill, paths } from '../../../wire/paths.ts';
import type { ScopeReportView } from '../schemas/scope-report.ts';

type PartView = ScopeReportView['results'][number];

const STATES: Readonly<Record<PartView['state'], readonly [text: TextName, style: string]>> = {
  waiting: ['partWaiting', 'off'],
  paused: ['partPaused', 'off'],
  queued: ['queued', 'off'],
  running: ['running', 'off'],
  success: ['success', 'ok'],
  failed: ['failedRun', 'failing'],
};

/** Order of the states: tehsils that need attention come first. */
const ORDER: readonly PartView['state'][] = ['failed', 'running', 'queued', 'paused', 'waiting', 'success'];

/** Tehsils of a run: how many ended, the time until the end, and a table. */
export function tehsilsSection(reader: Pick<Reader, 'prefix' | 'say'>, report: ScopeReportView): Html {
  const { say } = reader;
  const { counts, tehsils, remaining, results } = report;
  const hasUsage = report.scene_usage !== null;
  const rows = ORDER.flatMap((state) => results.filter((part) => part.state === state));
  return html`<h2 id="tehsils">${say('tehsils')}</h2>
    <p>
      ${say('tehsilsDone', { done: String(counts['success'] ?? 0), all: String(tehsils), failed: String(counts['failed'] ?? 0) })}
      ${report.paused ? say('isPausedNow') : ''} ${remaining === null ? '' : say('timeLeft', timeWords(remaining, say))}
    </p>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="tehsils">
      <table>
        <thead>
          <tr>
            <th scope="col">${say('oneTehsil')}</th>
            <th scope="col">${say('state')}</th>
            <th scope="col">${say('tookSeconds')}</th>
            ${hasUsage ? html`<th scope="col">${say('eecuSeconds')}</th>` : ''}
            <th scope="col">${say('whyFailed')}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((part) => rowOf(part, reader, hasUsage))}
        </tbody>
      </table>
    </div>`;
}

function rowOf(part: PartView, { prefix, say }: Pick<Reader, 'prefix' | 'say'>, hasUsage: boolean): Html {
  const { block, district, state, run_id: id, progress, seconds, eecu_seconds: eecu, reused, error } = part;
  const [text, style] = STATES[state];
  const name = `${block}, ${district}`;
  const share = state === 'running' ? ` ${Math.round(100 * progress)} %` : '';
  const note = reused ? ` (${say('reusedPart')})` : '';
  return html`<tr>
    <th scope="row">${id === null ? name : html`<a href="${prefix}${fill(paths.run, { id })}">${name}</a>`}</th>
    <td><span class="${style}">${say(text)}${share}</span>${note}</td>
    <td>${seconds === null ? '' : seconds.toFixed(seconds < 10 ? 1 : 0)}</td>
    ${hasUsage ? html`<td>${eecu === null ? '' : eecuText(eecu)}</td>` : ''}
    <td lang="en">${error?.message ?? ''}</td>
  </tr> `;
}

const timeWords = ({ low, high, measured }: NonNullable<ScopeReportView['remaining']>, say: Say) => ({
  low: durationText(low, say),
  high: durationText(high, say),
  count: String(measured),
});
