import { html } from 'hono/html';
import { foot, page, type Html, type Shell } from '../../../pages/layout.ts';
import { copyText, type Crumb, crumbs } from '../../../pages/parts.ts';
import { AS_JSON, CONTINUED, shellWord, signInLines, WITH_TOKEN } from '../../../pages/shell-word.ts';
import { sayIn } from '../../../pages/texts.ts';
import { paths } from '../../../wire/paths.ts';

/** Data of the page of a known place without layers. */
export interface NotComputedFacts {
  readonly shell: Shell;
  readonly prefix: string;
  readonly baseUrl: string;
  readonly version: string;
  /** Name of the place, followed by the names of the places above it. */
  readonly names: readonly [string, ...string[]];
  readonly above: readonly Crumb[];
  /** Heading of the list `children`. The list is empty for a tehsil. */
  readonly below: string;
  readonly children: readonly Crumb[];
  readonly computation: { readonly title: string; readonly path: string; readonly body: object } | undefined;
  readonly canCompute: boolean;
  readonly form: string | undefined;
}

/** Page of a place without published layers, with instructions to compute layers. */
export function notComputedPage(facts: NotComputedFacts): Html {
  const { prefix, version, names, above, below, children, computation, canCompute, shell } = facts;
  const say = sayIn(shell.language);
  const [name] = names;
  const here = { names: names.join(', ') };
  const body = html`${crumbs(above, name, say('breadcrumb'))}
    <h1>${name}</h1>
    <p class="lead">${say('isKnownPlace', here)}</p>
    ${
      children.length === 0
        ? ''
        : html`<h2 id="below">${below}</h2>
            <ul class="places" aria-labelledby="below">
              ${children.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
            </ul>`
    }
    <h2>${say('howToCompute')}</h2>
    ${facts.form === undefined ? '' : html`<p><a class="button" href="${facts.form}">${say('chooseAndStart')}</a></p>`}
    ${computation === undefined ? '' : howToStart(facts, computation)}
    ${
      canCompute
        ? html`<p>
            ${computation === undefined ? say('computedByTehsil') : ''} ${say('listOfComputations')}
            <a href="${prefix}${paths.computations}">${say('allComputations')}</a>
          </p>`
        : html`<p>${say('computesNoPlace')}</p>`
    }
    ${foot(version, [])}`;
  const description = say('howToComputeOf', here);
  return page({ title: say('notComputedYet', here), description, prefix, body, script: true, ...shell });
}

function howToStart(
  { baseUrl, shell }: NotComputedFacts,
  { title, path, body }: NonNullable<NotComputedFacts['computation']>,
): Html {
  const say = sayIn(shell.language);
  const parts = [
    `curl -sw '\\n' ${shellWord(baseUrl + path)}`,
    `${WITH_TOKEN} ${AS_JSON}`,
    `-d ${shellWord(JSON.stringify(body))}`,
  ];
  return html`<p>${say('twoCommands')}</p>
    <ol class="steps">
      <li>${say('signInStores')} ${copyText(signInLines(baseUrl), say('signInCommands'))}</li>
      <li>${say('startFirst', { title })} ${copyText(parts.join(CONTINUED), say('computePlace'))}</li>
    </ol>`;
}
