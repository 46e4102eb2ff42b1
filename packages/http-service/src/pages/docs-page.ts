import { html } from 'hono/html';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from '../openapi-document.ts';
import { paths } from '../wire/paths.ts';
import { foot, page, prefixOf, type Html } from './layout.ts';
import { typeText } from './type-text.ts';

interface Entry {
  readonly verb: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** What the reference needs beside its document. */
export interface DocsPageFacts {
  readonly baseUrl: string;
  /** For the foot of the page. */
  readonly credits?: readonly string[];
}

/** The API reference: reads the OpenAPI document and nothing else. */
export function docsPage(document: OpenApiDocument, { baseUrl, credits = [] }: DocsPageFacts): Html {
  const prefix = prefixOf(baseUrl);
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ verb: verb.toUpperCase(), path, operation })),
  );
  const schemas = Object.entries(document.components['schemas'] ?? {});
  const body = html` <h1>API reference</h1>
    <p class="lead">
      ${String(document.info['description'])} Machines read the same from
      <a href="${prefix}${paths.openApi}">the OpenAPI document</a>.
    </p>
    <nav aria-label="Groups">
      <ul class="toc">
        ${document.tags.map(({ name, description }) => html`<li><a href="#${anchorOf(name)}">${name}</a>: ${description}</li> `)}
        <li><a href="#schemas">schemas</a>: shapes of bodies</li>
      </ul>
    </nav>
    ${document.tags.map(({ name }) => group(name, entries))}
    <h2 id="schemas">schemas</h2>
    ${schemas.map(
      ([name, schema]) =>
        html`<details id="schema-${name}">
          <summary><span class="path">${name}</span></summary>
          <div class="inside">
            <h3>JSON Schema</h3>
            <div class="scroll">
              <pre><code>${JSON.stringify(schema, null, 2)}</code></pre>
            </div>
          </div>
        </details> `,
    )}
    ${foot(String(document.info['version']), credits)}`;
  return page({ title: 'API reference: Headwater', description: 'Operations of the Headwater API.', prefix, body });
}

function group(tag: string, entries: readonly Entry[]): Html {
  const anchor = anchorOf(tag);
  return html`<section aria-labelledby="${anchor}">
    <h2 id="${anchor}">${tag}</h2>
    ${entries.filter(({ operation }) => operation.tags.includes(tag)).map(entry)}
  </section> `;
}

/** Id of a tag's heading: words of any kind, and none that the page uses itself. */
function anchorOf(tag: string): string {
  return /^[\w-]+$/.test(tag) && tag !== 'schemas' && tag !== 'main' ? tag : `tag-${encodeURIComponent(tag)}`;
}

function schemeWord(alternative: Readonly<Record<string, readonly string[]>>): string {
  const [name = 'nothing'] = Object.keys(alternative);
  return name === 'bearer' ? 'bearer token' : name;
}

function entry({ verb, path, operation }: Entry): Html {
  const { security = [], parameters = [], description, requestBody } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  return html`<details id="${operation.operationId}">
    <summary>
      <span class="verb ${verb}">${verb}</span><span class="path">${path}</span
      ><span class="what">${operation.summary}</span
      >${security.length > 0 ? html`<span class="lock">${security.map(schemeWord).join(' or ')}</span>` : ''}
    </summary>
    <div class="inside">
      ${description === undefined ? '' : html`<p>${description}</p>`}
      ${parameters.length === 0 ? '' : parameterTable(parameters)}
      ${
        body === undefined
          ? ''
          : html`<h3>Body</h3>
              <p><code>${typeText(body.schema)}</code></p>`
      }
      <h3>Answers</h3>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Meaning</th>
              <th scope="col">Body</th>
            </tr>
          </thead>
          <tbody>
            ${Object.entries(operation.responses).map(response)}
          </tbody>
        </table>
      </div>
    </div>
  </details> `;
}

function parameterTable(parameters: readonly OpenApiParameter[]): Html {
  return html`<h3>Parameters</h3>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">In</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${parameters.map(
            (each) =>
              html`<tr>
                <td><code>${each.name}</code></td>
                <td>${each.in}${each.required ? ', required' : ''}</td>
                <td><code>${typeText(each.schema)}</code></td>
                <td>${each.description ?? ''}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function response([status, { description, content = {} }]: readonly [string, OpenApiResponse]): Html {
  const bodies = Object.entries(content);
  return html`<tr>
    <td>${status}</td>
    <td>${description}</td>
    <td>
      ${bodies.map(
        ([media, { schema }]) => html`<code>${media}</code> ${schema === undefined ? '' : schemaLink(schema)}<br />`,
      )}
    </td>
  </tr> `;
}

function schemaLink(schema: unknown): Html {
  const text = typeText(schema);
  return /^[A-Z]\w*$/.test(text) ? html`<a href="#schema-${text}">${text}</a>` : html`<code>${text}</code>`;
}
