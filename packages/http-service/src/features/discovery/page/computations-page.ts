import { html } from 'hono/html';
import { type Account, foot, page, type Html } from '../../../pages/layout.ts';
import { copyText, type Crumb, crumbs, facts as factList } from '../../../pages/parts.ts';
import type { ShownLayer } from '../../../pages/publication-cards.ts';
import { shellWord, signInLines } from '../../../pages/shell-word.ts';
import { sayIn } from '../../../pages/texts.ts';
import { paths } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';
import { languageSwitch } from './place-parts.ts';
import { themeSign } from './theme-signs.ts';

/** A computation that the service offers. */
export interface ShownComputation {
  /** Id of its entry. */
  readonly id: string;
  readonly title: string;
  readonly theme: string | undefined;
  /** One sentence. */
  readonly summary: string;
  readonly path: string;
  /** Its operation in the reference. */
  readonly operation: string;
  /** Inputs that no computation of the service makes. */
  readonly sources: readonly string[];
  /** Computations whose layers it reads. */
  readonly makers: readonly Crumb[];
  /** Names of its tables and series. */
  readonly data: readonly string[];
  /** Form that starts it; undefined if the service has no pages of users. */
  readonly form: string | undefined;
  /** A request that starts it. */
  readonly body: object;
  /** A published layer. */
  readonly picture: (ShownLayer & { readonly src: string }) | undefined;
}

/** Data of the list of computations. */
export interface ComputationsPageFacts {
  /** Link of the shell to the pages of the reader; undefined if the service has none. */
  readonly account?: Account | undefined;
  readonly prefix: string;
  readonly baseUrl: string;
  readonly version: string;
  /** Path of the reference that has an entry for each operation. */
  readonly reference: string;
  readonly language: Language;
  /** Language in the address. */
  readonly lang: Language | undefined;
  readonly computations: readonly ShownComputation[];
}

/** List of the computations by theme, each with a picture, what it needs, and the command that starts it. */
export function computationsPage(facts: ComputationsPageFacts): Html {
  const { prefix, baseUrl, version, language, lang, computations } = facts;
  const say = sayIn(language);
  const title = say('computations');
  const groups = [...Map.groupBy(computations, ({ theme }) => theme ?? say('otherTheme'))];
  const start = {
    title: say('firstPage'),
    href: `${prefix}${paths.firstPage}${lang === undefined ? '' : `?lang=${lang}`}`,
  };
  const body = html`${crumbs([start], title, say('breadcrumb'))}
    <h1>${title}</h1>
    ${languageSwitch(language, (other) => `${prefix}${paths.computations}?lang=${other}`)}
    ${
      computations.length === 0
        ? html`<p class="empty">${say('noComputations')}</p>`
        : html`<p class="lead">${say('computationsLead')}</p>
            <nav aria-label="${title}">
              <ul class="toc" lang="en">
                ${groups.map(([theme], at) => html`<li><a href="#theme-${at + 1}">${theme}</a></li> `)}
              </ul>
            </nav>`
    }
    ${groups.map(
      ([theme, own], at) =>
        html`<section aria-labelledby="theme-${at + 1}">
          <h2 id="theme-${at + 1}" lang="en">${theme}</h2>
          <ul class="computations" lang="en">
            ${own.map((each) => entry(each, facts))}
          </ul>
        </section> `,
    )}
    ${computations.length === 0 ? '' : beforeStart(baseUrl, language)} ${foot(version, [])}`;
  return page({
    title: `${title}: Headwater`,
    description: say('computationsLead'),
    prefix,
    body,
    script: true,
    language,
    account: facts.account,
  });
}

function entry(shown: ShownComputation, { prefix, baseUrl, reference, language }: ComputationsPageFacts): Html {
  const { id, title, theme = '', summary, path, operation, data, body, picture, form } = shown;
  const say = sayIn(language);
  const command = `curl -sw '\\n' ${shellWord(baseUrl + path)} \\
  -H "Authorization: Bearer \${TOKEN:?sign in first}" -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify(body))}`;
  return html`<li class="card" id="${id}">
    ${
      picture === undefined
        ? themeSign(theme)
        : html`<a class="picture" href="${picture.href}"
            ><img
              src="${picture.src}"
              alt="${say('exampleOf', { title: picture.title })}"
              loading="lazy"
              width="300"
              height="144"
          /></a>`
    }
    <h3>${title}</h3>
    <p>${summary}</p>
    ${factList([
      [say('needs'), needsOf(shown, language)],
      [say('makesTables'), data.length === 0 ? undefined : data.join(', ')],
    ])}
    <details>
      <summary><span class="name" lang="${language}">${say('startIt')}</span></summary>
      <div class="inside">
        ${
          form === undefined
            ? ''
            : html`<p>
                <a href="${form}" lang="${language}">${say('computeOnPage')}<span class="hidden">: ${title}</span></a>
              </p>`
        }
        ${copyText(command, `the command that starts: ${title}`)}
        <p>
          <a href="${prefix}${reference}#${operation}" lang="${language}"
            >${say('inReference')}<span class="hidden">: ${title}</span></a
          >
        </p>
      </div>
    </details>
  </li> `;
}

function needsOf({ sources, makers }: ShownComputation, language: Language): Html | string {
  if (sources.length + makers.length === 0) return sayIn(language)('needsNothing');
  const links = makers.map(({ title, href }) => html`<a href="${href}">${title}</a>`);
  const all: readonly (Html | string)[] = [...sources, ...links];
  return html`${all.map((part, at) => html`${at === 0 ? '' : '; '}${part}`)}`;
}

/** Commands that sign in, for the commands of all computations. */
function beforeStart(baseUrl: string, language: Language): Html {
  const say = sayIn(language);
  return html`<h2 id="start">${say('beforeStart')}</h2>
    <p>${say('signInText')}</p>
    ${copyText(signInLines(baseUrl), 'the commands that sign in')}
    <p>${say('withNeeds')}</p>`;
}
