import { html } from 'hono/html';
import type { OpenApiDocument, OpenApiOperation } from '../../../openapi/document.ts';
import { paths } from '../../../wire/paths.ts';
import { foot, page, prefixOf, type Html } from '../../../pages/layout.ts';
import { prose } from './docs-lists.ts';
import { answerList, bodyFields, parameterList } from './docs-lists.ts';

/** A line for a shell that sends an example of an operation. */
export interface ExampleLine {
  readonly name: string;
  /** Status that it is answered with. */
  readonly status: number;
  readonly line: string;
}

/** Lines to paste, for the whole page. */
export interface PageLines {
  /** Sentence about whose names the lines have. */
  readonly told: string;
  /** Lines that sign in. */
  readonly signIn: string;
  /** By `operationId`. */
  readonly examples: ReadonlyMap<string, readonly ExampleLine[]>;
}

/** What the reference needs beside its document. */
export interface DocsPageFacts {
  readonly baseUrl: string;
  /** For the foot of the page. */
  readonly credits?: readonly string[];
  /** Absent: no lines are shown. */
  readonly lines?: PageLines;
}

interface Entry {
  readonly verb: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** The API reference: what the OpenAPI document says, and for each example a line for a shell that works on this service. */
export function docsPage(document: OpenApiDocument, facts: DocsPageFacts): Html {
  const { baseUrl, credits = [], lines } = facts;
  const prefix = prefixOf(baseUrl);
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ verb: verb.toUpperCase(), path, operation })),
  );
  const tags = document.tags.filter(({ name }) => entries.some(({ operation }) => operation.tags.includes(name)));
  const schemas = Object.entries(document.components['schemas'] ?? {});
  const body = html` <h1>API reference</h1>
    <p class="lead">
      ${String(document.info['description'])} Machines read the same from
      <a href="${prefix}${paths.openApi}">the OpenAPI document</a>.
    </p>
    <nav aria-label="Groups">
      <ul class="toc">
        ${tags.map(({ name, description }) => html`<li><a href="#${anchorOf(name)}">${name}</a>: ${description}</li> `)}
        <li><a href="#schemas">schemas</a>: shapes of bodies</li>
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
  return page({ title: 'API reference: Headwater', description: 'Operations of the Headwater API.', prefix, body });
}

function howToPaste({ told, signIn }: PageLines): Html {
  return html`<section aria-labelledby="lines">
    <h2 id="lines">Lines to paste</h2>
    <p>
      Each operation has lines for a shell with curl. They print the body and then, on a line of its own, the status;
      files are saved in the current folder. ${told} A run is shown to its owner and to superusers only. Lines that need
      credentials take them from variables of the shell, which these set:
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

/** Ids that the page has itself. */
const TAKEN: ReadonlySet<string> = new Set(['schemas', 'main', 'lines']);

/** Id of a tag's heading: words of any kind, and none that the page uses itself. */
function anchorOf(tag: string): string {
  return /^[\w-]+$/.test(tag) && !TAKEN.has(tag) ? tag : `tag-${encodeURIComponent(tag)}`;
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
  return html`<h3>Lines to paste</h3>
    ${examples.map(
      ({ name, status, line }) =>
        html`<p class="try">${name}: answers ${statusText(operation, status)}</p>
          <pre class="wraps"><code data-status="${status}">${line}</code></pre> `,
    )}`;
}

function statusText({ responses }: OpenApiOperation, status: number): string {
  return status === 202 && '200' in responses ? '202, or 200 where it is done already' : String(status);
}
