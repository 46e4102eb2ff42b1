import type { ListedApiKey } from '@headwater/identity';
import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import { dayText } from '../../../pages/words.ts';
import type { Reader } from '../../../screens/replies.ts';

/** Days of the chart, the last one is today (UTC). */
const DAYS = 30;
const DAY_MS = 86_400_000;
/** Size of the drawing in its own units, and width of a day. */
const [HEIGHT, STEP] = [60, 10];

/** Requests of each day with a key: a bar chart, and a table of the same figures. */
export function keyDays({ language, say }: Reader, { name, days }: ListedApiKey, now: Date): Html | '' {
  if (days.length === 0) return '';
  const uses = new Map(days.map((each) => [each.day, each.uses]));
  const shown = Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(now.getTime() - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return { day, uses: uses.get(day) ?? 0 };
  });
  const most = shown.reduce((top, each) => (each.uses > top.uses ? each : top), { day: '', uses: 0 });
  if (most.uses === 0) return '';
  const day = dayText(most.day, language);
  const title = say('requestsChart', { name, most: String(most.uses), day });
  return html`<details>
    <summary>
      <span>${say('requestsPerDay')}<span class="hidden"> ${name}</span></span>
    </summary>
    <div class="inside">
      <svg class="days" viewBox="0 0 ${DAYS * STEP} ${HEIGHT}" role="img" aria-label="${title}">
        <title>${title}</title>
        ${shown.map((each, at) => {
          const height = (HEIGHT * each.uses) / most.uses;
          return html`<rect
            x="${at * STEP + 1}"
            y="${(HEIGHT - height).toFixed(1)}"
            width="${STEP - 2}"
            height="${height.toFixed(1)}"
          /> `;
        })}
      </svg>
      <table>
        <caption>
          ${say('requestsTable')}
        </caption>
        <thead>
          <tr>
            <th scope="col">${say('day')}</th>
            <th scope="col" class="num">${say('requests')}</th>
          </tr>
        </thead>
        <tbody>
          ${shown
            .filter((each) => each.uses > 0)
            .map(
              (each) =>
                html`<tr>
                  <td>${dayText(each.day, language)}</td>
                  <td class="num">${each.uses}</td>
                </tr> `,
            )}
        </tbody>
      </table>
    </div>
  </details>`;
}
