import { html } from 'hono/html';
import { type Account, foot, page, type Html } from '../../../pages/layout.ts';
import { copyText, type Crumb, crumbs } from '../../../pages/parts.ts';
import { AS_JSON, CONTINUED, shellWord, signInLines, WITH_TOKEN } from '../../../pages/shell-word.ts';
import { paths } from '../../../wire/paths.ts';

/** Data of the page of a known place without layers. */
export interface NotComputedFacts {
  /** Link of the shell to the pages of the reader; undefined if the service has none. */
  readonly account?: Account | undefined;
  readonly prefix: string;
  readonly baseUrl: string;
  readonly version: string;
  /** Name of the place, then of the places above it. */
  readonly names: readonly [string, ...string[]];
  readonly above: readonly Crumb[];
  /** Heading of the places below, and these; empty for a tehsil. */
  readonly below: string;
  readonly children: readonly Crumb[];
  /** The first computation for this tehsil; undefined for other places, and if the service computes nothing. */
  readonly computation: { readonly title: string; readonly path: string; readonly body: object } | undefined;
  readonly canCompute: boolean;
  /** Form that computes layers of this place; undefined if the service has no pages of users, or computes nothing. */
  readonly form: string | undefined;
}

/** Page of a place of the directory of which nothing is published yet: it says how to compute it. */
export function notComputedPage(facts: NotComputedFacts): Html {
  const { prefix, version, names, above, below, children, computation, canCompute } = facts;
  const [name] = names;
  const body = html`${crumbs(above, name)}
    <h1>${name}</h1>
    <p class="lead">${names.join(', ')} is a known place; nothing has been computed for it yet.</p>
    ${
      children.length === 0
        ? ''
        : html`<h2 id="below">${below}</h2>
            <ul class="places" aria-labelledby="below">
              ${children.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li> `)}
            </ul>`
    }
    <h2>How to compute it</h2>
    ${
      facts.form === undefined
        ? ''
        : html`<p><a class="button" href="${facts.form}">Choose a layer and start it</a></p>`
    }
    ${computation === undefined ? '' : howToStart(facts, computation)}
    ${
      canCompute
        ? html`<p>
            ${computation === undefined ? 'Layers are computed for each tehsil. ' : ''}<a
              href="${prefix}${paths.computations}"
              >The list of computations</a
            >
            shows what can be computed and what each computation needs.
          </p>`
        : html`<p>This service computes nothing itself. Ask its operator to publish layers of this place.</p>`
    }
    ${foot(version, [])}`;
  const title = `${names.join(', ')}: not computed yet`;
  return page({
    title,
    description: `How to compute layers of ${names.join(', ')}.`,
    prefix,
    body,
    script: true,
    account: facts.account,
  });
}

function howToStart(
  { baseUrl }: NotComputedFacts,
  { title, path, body }: NonNullable<NotComputedFacts['computation']>,
): Html {
  const parts = [
    `curl -sw '\\n' ${shellWord(baseUrl + path)}`,
    `${WITH_TOKEN} ${AS_JSON}`,
    `-d ${shellWord(JSON.stringify(body))}`,
  ];
  return html`<p>An account that may compute can also start it with two commands. The years can be changed.</p>
    <ol class="steps">
      <li>
        Sign in, which stores the token in <code>TOKEN</code>.
        ${copyText(signInLines(baseUrl), 'the commands that sign in')}
      </li>
      <li>
        Start the first computation, ${title}, with this token.
        ${copyText(parts.join(CONTINUED), 'the command that computes this place')}
      </li>
    </ol>`;
}
