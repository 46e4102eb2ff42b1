import {
  DEFAULT_EXPIRY_DAYS,
  displayName,
  type ListedApiKey,
  MAX_KEY_NAME,
  maskedText,
  type User,
} from '@headwater/identity';
import { html } from 'hono/html';
import { type Field, field, hidden, notices } from '../../../pages/form-parts.ts';
import { type Html, page } from '../../../pages/layout.ts';
import { copyText, facts, inChosen } from '../../../pages/parts.ts';
import { shellWord } from '../../../pages/shell-word.ts';
import { dayText, momentText } from '../../../pages/words.ts';
import type { Reader } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';
import { type NamedRun, runTable } from '../../runs/page/runs-page.ts';

/** Data of the dashboard of a user. */
export interface DashboardFacts {
  readonly user: User;
  readonly token: string;
  /** False if the host signs users in and out. */
  readonly hasOwnSignIn: boolean;
  readonly keys: readonly ListedApiKey[];
  readonly made: { readonly text: string; readonly name: string } | undefined;
  readonly runs: readonly NamedRun[];
  readonly typed: { readonly name: string; readonly expiry_days: string };
  readonly problems: readonly string[];
  readonly fieldProblems: Readonly<Record<string, readonly string[]>>;
  readonly baseUrl: string;
  readonly now: Date;
}

/** The dashboard: API keys and runs of a user. */
export function dashboardPage(reader: Reader, shown: DashboardFacts): Html {
  const { prefix, language, query, chosen, say, account } = reader;
  const { user, problems, runs, made } = shown;
  const title = say('dashboard');
  const fields = keyFields(reader, shown);
  const may = user.mayCompute || user.isSuperuser;
  const body = html`<h1>${title}</h1>
    <p class="lead">
      ${say('signedInAs')} <strong>${displayName(user)}</strong><br />${say(may ? 'mayCompute' : 'mayNotCompute')}
    </p>
    ${account?.admin === undefined ? '' : html`<p><a href="${account.admin}">${say('admin')}</a></p>`}
    ${notices(problems, fields)} ${made === undefined ? '' : madeKey(reader, shown.baseUrl, made)}
    ${shown.hasOwnSignIn ? accountButtons(reader, shown.token) : ''}
    <ul class="buttons">
      ${may ? html`<li><a class="button" href="${inChosen({ chosen }, prefix + paths.dashboardCompute)}">${say('compute')}</a></li>` : ''}
      <li>
        <a class="button plainer" href="${inChosen({ chosen }, prefix + paths.dashboardDownloads)}"
          >${say('downloads')}</a
        >
      </li>
    </ul>
    <h2 id="keys">${say('apiKeys')}</h2>
    <p>${say('apiKeysLead')}</p>
    ${keyList(reader, shown)} ${keyForm(reader, shown.token, fields)}
    <h2 id="runs">${say(user.isSuperuser ? 'runsOfAll' : 'myRuns')}</h2>
    ${runTable(reader, runs)}
    ${runs.length === 0 ? '' : html`<p><a href="${inChosen({ chosen }, prefix + paths.runs)}">${say('allRuns')}</a></p>`}`;
  return page({ title, description: title, prefix, body, language, query, chosen, account, script: true });
}

function accountButtons({ prefix, chosen, say }: Reader, token: string): Html {
  return html`<form class="form" method="post" action="${inChosen({ chosen }, prefix + paths.signOut)}">
    ${hidden('token', token)}
    <ul class="buttons">
      <li>
        <a class="button plainer" href="${inChosen({ chosen }, prefix + paths.dashboardPassword)}"
          >${say('changePassword')}</a
        >
      </li>
      <li><button class="button plainer" type="submit">${say('signOut')}</button></li>
    </ul>
  </form>`;
}

function madeKey({ say }: Reader, baseUrl: string, { text, name }: NonNullable<DashboardFacts['made']>): Html {
  const command = `curl -sw '\\n' -H ${shellWord(`X-API-Key: ${text}`)} ${shellWord(baseUrl + paths.activeLocations)}`;
  return html`<section class="card made" aria-labelledby="made">
    <h2 id="made">${say('newKey', { name })}</h2>
    <p role="status">${say('keyShownOnce')}</p>
    ${copyText(text, say('theKey'))}
    <p>${say('tryKey')}</p>
    ${copyText(command, say('theCommand'))}
    <p>${say('inPython')}</p>
    ${copyText(pythonLines(baseUrl + paths.activeLocations, text), say('thePython'))}
    <p>${say('inTypeScript')}</p>
    ${copyText(typeScriptLines(baseUrl + paths.activeLocations, text), say('theTypeScript'))}
  </section>`;
}

// Example in Python. The texts are written as JSON strings. Python reads them in the same way, because they have no
// characters for which JSON and Python differ.
function pythonLines(address: string, key: string): string {
  return [
    'import json, urllib.request',
    `request = urllib.request.Request(${JSON.stringify(address)}, headers={"X-API-Key": ${JSON.stringify(key)}})`,
    'with urllib.request.urlopen(request) as response:',
    '    print(json.load(response))',
  ].join('\n');
}

function typeScriptLines(address: string, key: string): string {
  return [
    `const response = await fetch(${JSON.stringify(address)}, { headers: { 'X-API-Key': ${JSON.stringify(key)} } });`,
    'console.log(await response.json());',
  ].join('\n');
}

function keyList(reader: Reader, { keys, token, now }: DashboardFacts): Html {
  const { say } = reader;
  if (keys.length === 0) return html`<p class="empty">${say('noKeys')}</p>`;
  return html`<ul class="keys">
    ${keys.map((key) => keyCard(reader, key, { token, now }))}
  </ul>`;
}

function keyCard(reader: Reader, key: ListedApiKey, { token, now }: Pick<DashboardFacts, 'token' | 'now'>): Html {
  const { prefix, language, chosen, say } = reader;
  const requests = key.days.reduce((sum, { uses }) => sum + uses, 0);
  const isOver = Date.parse(key.expiresAt) <= now.getTime();
  return html`<li class="card">
    <h3>${key.name}</h3>
    ${facts([
      [say('key'), html`<code>${key.prefix}.…</code>`],
      [say('made'), dayText(key.createdAt, language)],
      [say(isOver ? 'expired' : 'expires'), dayText(key.expiresAt, language)],
      [say('lastUsed'), key.lastUsedAt === null ? say('neverUsed') : momentText(key.lastUsedAt, language)],
      [say('requestsOfMonth'), String(requests)],
    ])}
    ${keyDays(reader, key, now)}
    <details>
      <summary>
        <span>${say('revoke')}<span class="hidden"> ${key.name}</span></span>
      </summary>
      <form class="form inside" method="post" action="${inChosen({ chosen }, prefix + paths.dashboardKeyEnd)}">
        ${hidden('token', token)} ${hidden('key', maskedText(key.prefix))}
        <p>${say('revokeLead')}</p>
        <p><button class="button" type="submit">${say('revokeNamed', { name: key.name })}</button></p>
      </form>
    </details>
  </li> `;
}

function keyFields({ say }: Reader, { typed, fieldProblems }: DashboardFacts): readonly Field[] {
  const problemsOf = (name: string) => ({ problems: fieldProblems[name] ?? [] });
  const name = { label: say('name'), hint: say('keyNameHint'), value: typed.name, most: MAX_KEY_NAME };
  const days = { label: say('keyDays'), hint: say('keyDaysHint', { days: String(DEFAULT_EXPIRY_DAYS) }) };
  return [
    { name: 'name', ...name, autocomplete: 'off', ...problemsOf('name') },
    {
      name: 'expiry_days',
      ...days,
      type: 'number',
      value: typed.expiry_days,
      autocomplete: 'off',
      ...problemsOf('expiry_days'),
    },
  ];
}

function keyForm({ prefix, chosen, say }: Reader, token: string, fields: readonly Field[]): Html {
  return html`<h3 class="title">${say('newKeyForm')}</h3>
    <form class="form" method="post" action="${inChosen({ chosen }, prefix + paths.dashboardKeys)}">
      ${hidden('token', token)} ${fields.map(field)}
      <p><button class="button" type="submit">${say('makeKey')}</button></p>
    </form>`;
}

const DAYS = 30;
const DAY_MS = 86_400_000;
const [HEIGHT, STEP] = [60, 10];

function keyDays({ language, say }: Reader, { name, days }: ListedApiKey, now: Date): Html | '' {
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
