import { html } from 'hono/html';
import type { OpenApiDocument, OpenApiOperation } from '../../../openapi/document.ts';
import { paths } from '../../../wire/paths.ts';
import { foot, page, prefixOf, type Html, type Shell } from '../../../pages/layout.ts';
import { sayIn } from '../../../pages/texts.ts';
import { prose } from './docs-lists.ts';
import { answerList, bodyFields, parameterList } from './docs-lists.ts';

/** A shell command that sends an example of an operation. */
export interface ExampleLine {
  readonly name: string;
  readonly status: number;
  readonly line: string;
}

/** Shell commands of the whole page. */
export interface PageLines {
  /** Sentence about the names in the commands. */
  readonly note: string;
  /** Commands that sign in. */
  readonly signIn: string;
  /** Commands of each operation, by `operationId`. */
  readonly examples: ReadonlyMap<string, readonly ExampleLine[]>;
}

/** Data of the reference page, except the document. */
export interface DocsPageFacts {
  readonly baseUrl: string;
  readonly credits?: readonly string[];
  /** Shell commands of the examples. If absent, no commands are shown. */
  readonly lines?: PageLines;
}

interface Entry {
  readonly verb: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** The page of the plain reference. The content is English; all other texts have the reader's language. */
export function docsPage(
  { baseUrl, guide = '' }: { readonly baseUrl: string; readonly guide?: Html | '' },
  content: Html,
  shell: Shell,
): Html {
  const say = sayIn(shell.language);
  const body = html`<h1>${say('reference')}</h1>
    ${shell.language === 'en' ? '' : html`<p>${say('inEnglishOnly')}</p>`} ${guide}
    <div lang="en">${content}</div>`;
  const [title, description] = [say('referenceTitle'), say('referenceDescription')];
  return page({ title, description, prefix: prefixOf(baseUrl), body, ...shell });
}

/** The content of the OpenAPI document, with shell commands for each example. */
export function docsContent(document: OpenApiDocument, facts: DocsPageFacts): Html {
  const { baseUrl, credits = [], lines } = facts;
  const prefix = prefixOf(baseUrl);
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ verb: verb.toUpperCase(), path, operation })),
  );
  const tags = document.tags.filter(({ name }) => entries.some(({ operation }) => operation.tags.includes(name)));
  const schemas = Object.entries(document.components['schemas'] ?? {});
  return html`<p class="lead">
      ${String(document.info['description'])} Programs read the same description from
      <a href="${prefix}${paths.openApi}">the OpenAPI document</a>.
    </p>
    <nav aria-label="Groups">
      <ul class="toc">
        ${tags.map(({ name, description }) => html`<li><a href="#${anchorOf(name)}">${name}</a>: ${description}</li> `)}
        <li><a href="#schemas">schemas</a>: the shapes of request and response bodies</li>
      </ul>
    </nav>
    ${lines === undefined ? '' : howToPaste(lines)} ${tags.map(({ name }) => group(name, entries, { document, lines }))}
    <section aria-labelledby="schemas">
      <h2 id="schemas">schemas</h2>
      ${schemas.map(
        ([name, schema]) =>
          html`<details id="schema-${name}">
            <summary><span class="path">${name}</span></summary>
            <div class="inside">
              <h3>JSON Schema</h3>
              <pre class="wraps"><code>${JSON.stringify(schema, null, 2)}</code></pre>
            </div>
          </details> `,
      )}
    </section>
    ${foot(String(document.info['version']), credits)}`;
}

function howToPaste({ note, signIn }: PageLines): Html {
  return html`<section aria-labelledby="lines">
    <h2 id="lines">Commands to copy</h2>
    <p>
      Each operation has shell commands with curl. A command prints the body and then the status in a separate line;
      files are saved in the current folder. ${note} A run is shown only to its owner and to superusers. Commands that
      need credentials read them from shell variables. Set them first:
    </p>
    <pre class="wraps"><code>${signIn}</code></pre>
  </section>`;
}

interface Around {
  readonly document: OpenApiDocument;
  readonly lines: PageLines | undefined;
}

function group(tag: string, entries: readonly Entry[], around: Around): Html {
  const anchor = anchorOf(tag);
  return html`<section aria-labelledby="${anchor}">
    <h2 id="${anchor}">${tag}</h2>
    ${entries.filter(({ operation }) => operation.tags.includes(tag)).map((each) => entry(each, around))}
  </section> `;
}

const TAKEN: ReadonlySet<string> = new Set(['schemas', 'main', 'lines']);

/** Id of a tag's heading. Names in `TAKEN` and invalid names get a prefix. */
function anchorOf(tag: string): string {
  return /^[\w-]+$/.test(tag) && !TAKEN.has(tag) ? tag : `tag-${tag.replace(/[^\w-]+/g, '-')}`;
}

function schemeWord(alternative: Readonly<Record<string, readonly string[]>>): string {
  const [name = 'nothing'] = Object.keys(alternative);
  return name === 'bearer' ? 'bearer token' : name;
}

function entry({ verb, path, operation }: Entry, { document, lines }: Around): Html {
  const { security = [], parameters = [], description, requestBody, operationId } = operation;
  const examples = lines?.examples.get(operationId) ?? [];
  return html`<details id="${operationId}">
    <summary>
      <span class="verb ${verb}">${verb}</span><span class="path">${path}</span
      ><span class="what">${operation.summary}</span
      >${security.length > 0 ? html`<span class="lock">${security.map(schemeWord).join(' or ')}</span>` : ''}
    </summary>
    <div class="inside">
      ${description === undefined ? '' : html`<p>${prose(description)}</p>`}
      ${parameters.length === 0 ? '' : parameterList(parameters)}
      ${requestBody === undefined ? '' : bodyFields(requestBody.content, document)}
      ${examples.length === 0 ? '' : tries(examples, operation)} ${answerList(operation.responses)}
    </div>
  </details> `;
}

function tries(examples: readonly ExampleLine[], operation: OpenApiOperation): Html {
  return html`<h3>Commands to copy</h3>
    ${examples.map(
      ({ name, status, line }) =>
        html`<p class="try">${name}: responds with ${statusText(operation, status)}</p>
          <pre class="wraps"><code data-status="${status}">${line}</code></pre> `,
    )}`;
}

function statusText({ responses }: OpenApiOperation, status: number): string {
  return status === 202 && '200' in responses ? '202, or 200 if the result exists already' : String(status);
}
