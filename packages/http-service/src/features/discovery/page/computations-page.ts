import { html } from 'hono/html';
import { foot, page, type Html, type Shell } from '../../../pages/layout.ts';
import type { ListedPipeline } from '../../../items/pipeline-listing.ts';
import { copyText, type Crumb, crumbs, facts as factList } from '../../../pages/parts.ts';
import type { Picture } from '../../../layers/newest-cache.ts';
import { AS_JSON, CONTINUED, shellWord, signInLines, WITH_TOKEN } from '../../../pages/shell-word.ts';
import { sayIn } from '../../../pages/texts.ts';
import { paths } from '../../../wire/paths.ts';
import type { Language } from '../../../wire/words.ts';

/** A computation that the service offers. */
export interface ShownComputation extends ListedPipeline {
  /** Theme in English, by which the drawing is chosen. */
  readonly sign: string;
  readonly path: string;
  readonly operation: string;
  readonly makers: readonly Crumb[];
  readonly data: readonly string[];
  readonly form: string | undefined;
  readonly body: object;
  readonly picture: Picture | undefined;
}

/** Data of the list of computations. */
export interface ComputationsPageFacts extends Shell {
  readonly prefix: string;
  readonly baseUrl: string;
  readonly version: string;
  readonly reference: string;
  readonly lang: Language | undefined;
  readonly computations: readonly ShownComputation[];
}

/** List of the computations by theme, with pictures, inputs and commands. */
export function computationsPage(facts: ComputationsPageFacts): Html {
  const { prefix, baseUrl, version, language, lang, computations, query, account } = facts;
  const say = sayIn(language);
  const title = say('computations');
  const groups = [...Map.groupBy(computations, ({ theme }) => theme ?? say('otherTheme'))];
  const start = {
    title: say('firstPage'),
    href: `${prefix}${paths.firstPage}${lang === undefined ? '' : `?lang=${lang}`}`,
  };
  const body = html`${crumbs([start], title, say('breadcrumb'))}
    <h1>${title}</h1>
    ${
      computations.length === 0
        ? html`<p class="empty">${say('noComputations')}</p>`
        : html`<p class="lead">${say('computationsLead')}</p>
            <nav aria-label="${title}">
              <ul class="toc">
                ${groups.map(([theme, [first]], at) => html`<li><a href="#theme-${at + 1}" lang="${first?.lang ?? language}">${theme}</a></li> `)}
              </ul>
            </nav>`
    }
    ${groups.map(
      ([theme, own], at) =>
        html`<section aria-labelledby="theme-${at + 1}">
          <h2 id="theme-${at + 1}" lang="${own[0]?.lang ?? language}">${theme}</h2>
          <ul class="computations">
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
    query,
    account,
  });
}

function entry(shown: ShownComputation, { prefix, baseUrl, reference, language }: ComputationsPageFacts): Html {
  const { id, title, sign, summary, path, operation, data, body, picture, form } = shown;
  const say = sayIn(language);
  const command = [
    `curl -sw '\\n' ${shellWord(baseUrl + path)}`,
    `${WITH_TOKEN} ${AS_JSON}`,
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(CONTINUED);
  return html`<li class="card" id="${id}" lang="${shown.lang}">
    ${
      picture === undefined
        ? themeSign(sign)
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
        ${copyText(command, say('startCommand', { title }))}
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

function beforeStart(baseUrl: string, language: Language): Html {
  const say = sayIn(language);
  return html`<h2 id="start">${say('beforeStart')}</h2>
    <p>${say('signInText')}</p>
    ${copyText(signInLines(baseUrl), say('signInCommands'))}
    <p>${say('withNeeds')}</p>`;
}

/** Line drawings in a square of 48 units. The first drawing whose pattern matches the theme is used. */
const SIGNS: readonly (readonly [words: RegExp, path: string])[] = [
  [/land cover/i, 'M6 30l12-8 10 6 14-10v22H6zM18 22v18M28 28v12M34 12a4 4 0 1 1 .1 0'],
  [
    /crop/i,
    'M24 42V16M24 22c-8 0-10-5-10-10 8 0 10 5 10 10zM24 22c8 0 10-5 10-10-8 0-10 5-10 10zM24 34c-7 0-10-4-10-9 8 0 10 4 10 9zM24 34c7 0 10-4 10-9-8 0-10 4-10 9z',
  ],
  [/stream|drain/i, 'M8 8c4 8 10 8 14 14s0 12 4 20M38 8c-2 8-8 8-16 14M42 26c-6 2-10 4-17 7'],
  [/water/i, 'M24 6c6 9 11 15 11 22a11 11 0 0 1-22 0c0-7 5-13 11-22zM18 29a6 6 0 0 0 6 6'],
  [/vegetation|ndvi/i, 'M24 42V24M24 30c-11 0-14-8-14-16 11 0 14 8 14 16zM24 24c9 0 14-6 14-14-10 0-14 6-14 14z'],
  [/terrain|relief|slope/i, 'M4 40l14-24 8 13 6-9 12 20zM14 23l4 4 4-3'],
  [/bound/i, 'M8 14l14-6 18 8-4 16-14 8-14-8zM22 8l2 14-16 8M24 22l16-6M24 22l-2 18'],
  [/quality|accuracy/i, 'M10 26l9 9 19-22'],
];
const OTHER = 'M8 12l10-4 12 4 10-4v28l-10 4-12-4-10 4zM18 8v28M30 12v28';

function themeSign(theme: string): Html {
  const path = SIGNS.find(([words]) => words.test(theme))?.[1] ?? OTHER;
  return html`<svg class="sign" viewBox="-24 -4 96 56" aria-hidden="true"><path d="${path}" /></svg>`;
}
