import { html } from 'hono/html';
import type { z } from 'zod';
import type { Html } from '../../../pages/layout.ts';
import type { Say } from '../../../pages/texts.ts';
import { durationText, sizeText } from '../../../pages/words.ts';
import type { Language } from '../../../wire/words.ts';
import type { Reader } from '../../../screens/replies.ts';
import { eecuText } from '../../runs/page/computing-time.ts';
import type { DryRun } from '../../runs/schemas/dry-run.ts';

type Figures = z.infer<typeof DryRun>;

/** Estimate of a request, or the reason why there is none. */
export type ShownEstimate = { readonly figures: Figures } | { readonly problem: string; readonly lang: Language };

type Words = Pick<Reader, 'say' | 'language'>;

/** Table of the expected work of a request, with units. */
export function estimateSection({ say, language }: Words, estimate: ShownEstimate): Html {
  const title = html`<h2 id="estimate">${say('theEstimate')}</h2>`;
  if ('problem' in estimate)
    return html`${title}
      <div class="notice">
        <p>${say('estimateFailed')}</p>
        <p lang="${estimate.lang}">${estimate.problem}</p>
      </div>`;
  const { figures } = estimate;
  return html`${title}
    <div class="scroll" tabindex="0" role="region" aria-labelledby="estimate">
      <table>
        <thead>
          <tr>
            <th scope="col">${say('workItem')}</th>
            <th scope="col">${say('workAmount')}</th>
          </tr>
        </thead>
        <tbody>
          ${rowsOf({ say, language }, figures).map(
            ([name, amount]) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td>${amount}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
    ${notesOf(say, figures)}`;
}

function rowsOf({ say, language }: Words, figures: Figures): readonly (readonly [string, string])[] {
  const { tehsils, sampled, km2, scenes, bytes, requests, minutes, scene_engine: engine } = figures;
  const or = (amount: number | null, text: (known: number) => string): string =>
    amount === null ? say('unknownAmount') : text(amount);
  const size = (amount: number | null): string => or(amount, (known) => sizeText(known, language));
  const all = String(tehsils);
  return [
    [say('tehsils'), sampled === tehsils ? all : say('sampledOf', { all, sampled: String(sampled) })],
    [say('computedArea'), km2 > 0 ? `${km2.toFixed(1)} ${say('km')}²` : say('unknownAmount')],
    [say('scenesToRead'), or(scenes, String)],
    [say('bytesToRead'), size(bytes)],
    [say('requestsToSend'), or(requests, String)],
    [say('workerTime'), or(minutes, (known) => durationText(60 * known, say))],
    [say('workerMemory'), size(figures.memory_bytes)],
    [say('diskSpace'), size(figures.disk_bytes)],
    ...(engine === null ? [] : [[say('computingTime'), computingTimeOf(engine, say)] as const]),
  ];
}

function computingTimeOf(
  { eecu_seconds: seconds, eecu_range: range, eecu_reason: reason }: NonNullable<Figures['scene_engine']>,
  say: Say,
): string {
  if (seconds === null) return say('unknownFor', { reason });
  const [low = seconds, high = seconds] = range ?? [];
  return say('eecuBetween', { count: eecuText(seconds), low: eecuText(low), high: eecuText(high) });
}

function notesOf(say: Say, { minutes, is_measured: isMeasured, ...figures }: Figures): Html {
  const { tehsils, lacking, sampled, missing, makers, failed } = figures;
  const isArea = tehsils > 1 && lacking > 0;
  return html`${minutes === null ? '' : html`<p class="soft">${say(isMeasured ? 'timeMeasured' : 'timeAssumed')}</p>`}
  ${isArea ? html`<p>${say('tehsilsLacking', { lacking: String(lacking), sampled: String(sampled) })}</p>` : ''}
  ${isArea && missing !== null && makers !== null ? html`<p lang="en">${missing}</p>` : ''}
  ${
    failed.length === 0
      ? ''
      : html`<p>${say('tehsilsUnread')}</p>
          <ul class="plain">
            ${failed.map(({ block, district, message }) => html`<li lang="en">${block}, ${district}: ${message}</li> `)}
          </ul>`
  }`;
}
