import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Text } from './stage.ts';
import { COMMANDS } from '../../packages/server/src/commands.ts';
import { usageOf } from '../../packages/server/src/command.ts';
import { VARIABLES } from '../../packages/server/src/config/read-config.ts';
import { optionsPage } from './options.ts';

interface ApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly ApiField[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: object }>>;
}
interface ApiField {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}
interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

/** Returns the reference pages that are generated from the code, except the pages of the packages. */
export function referencePages(root: string): readonly Text[] {
  const page = (path: string, text: string, source = ''): Text => ({ path, source, text });
  return [
    page('reference/options', optionsPage(root), 'packages/http-service/src/headwater-options.ts'),
    page('reference/variables', variablesPage(readFileSync(join(root, '.env.example'), 'utf8')), '.env.example'),
    page('reference/commands', commandsPage()),
    ...httpPages(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as ApiDocument).map(([path, text]) =>
      page(path, text, path === 'reference/http' ? 'docs/openapi.json' : ''),
    ),
  ];
}

/**
 * Page of the environment variables, from the comments of `.env.example`. Throws if the code reads a variable that is
 * not in this file.
 */
function variablesPage(example: string): string {
  const entries = [...example.matchAll(/((?:^#.*\n)+)([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
    ([, comment = '', name = '', value = '']) => ({
      name,
      text: comment.replaceAll(/^# ?/gm, '').replaceAll('\n', ' ').trim(),
      value,
    }),
  );
  const missing = VARIABLES.filter((name) => !entries.some((entry) => entry.name === name));
  if (missing.length > 0) throw new Error(`.env.example lacks ${missing.join(', ')}; add them, each with a comment`);
  return [
    '# Variables of the server',
    'The server reads these environment variables, also from the file `.env`. An empty value counts as not set.',
    ...entries.map(
      ({ name, text, value }) =>
        `## ${name}\n\nDefault: ${value === '' ? 'not set' : `\`${value}\``}\n\n${escaped(text)}`,
    ),
  ].join('\n\n');
}

function commandsPage(): string {
  return [
    '# Commands',
    'In a checkout, start a command with `npx headwater NAME`. The server also prints these texts: `npx headwater NAME --help`.',
    ...COMMANDS.map((command) => {
      const details = command.details === undefined ? '' : `\n\n${command.details.join('\n')}`;
      return `## ${command.name}\n\n${escaped(command.help)}\n\n\`\`\`text\n${usageOf(command)}${details}\n\`\`\``;
    }),
  ].join('\n\n');
}

function httpPages({ tags, paths }: ApiDocument): readonly (readonly [path: string, text: string])[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const pages = tags.map(({ name, description = '' }) => {
    const rows = all.filter(({ operation }) => operation.tags.includes(name));
    const path = `http/${name.replaceAll(/\W+/g, '-')}`;
    const text = [`# HTTP: ${name}`, escaped(description), ...rows.map((row) => operationText(row))].join('\n\n');
    return { name, description, path, text };
  });
  const index = pages.map(({ name, path, description }) => `| [${name}](/${path}) | ${escaped(description)} |`);
  return [
    [
      'reference/http',
      [
        '# HTTP',
        '',
        'Generated from the OpenAPI document, which a server serves at `/api/v1/openapi.json`.',
        '',
        '| group | contains |',
        '| --- | --- |',
        ...index,
      ].join('\n'),
    ],
    ...pages.map(({ path, text }) => [path, text] as const),
  ];
}

function operationText({ path, method, operation }: { path: string; method: string; operation: ApiOperation }): string {
  const { summary = '', description = '', parameters = [], requestBody, responses, security = [] } = operation;
  const who = security.flatMap((each) => Object.keys(each));
  const body = Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => fieldsOf(type, schema));
  return [
    `## ${method} ${path.replaceAll(/[{}]/g, (mark) => (mark === '{' ? '\\{' : '\\}'))} {#${operation.operationId}}`,
    escaped(summary),
    escaped(description),
    who.length === 0 ? 'Without sign-in.' : `Authentication: ${who.map((name) => `\`${name}\``).join(' or ')}.`,
    table(
      ['parameter', 'in', 'type', 'meaning'],
      parameters.map((each) => [mark(each), each.in, typeOf(each.schema), each.description ?? '']),
    ),
    table(['member of the body', 'type', 'meaning'], body),
    table(
      ['status', 'meaning'],
      Object.entries(responses).map(([status, { description: meaning = '' }]) => [status, meaning]),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const mark = ({ name, required }: { name: string; required?: boolean }): string =>
  `\`${name}\`${required === true ? ' (required)' : ''}`;

function fieldsOf(media: string, schema: Schema | undefined): readonly (readonly string[])[] {
  if (schema?.properties === undefined) return [[`\`${media}\``, typeOf(schema), schema?.description ?? '']];
  return Object.entries(schema.properties).map(([name, each]) => [
    mark({ name, required: schema.required?.includes(name) ?? false }),
    typeOf(each),
    each.description ?? '',
  ]);
}

function typeOf(schema: Schema | undefined): string {
  if (schema?.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema?.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  return [schema?.type ?? 'any'].flat().join(' or ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const body = rows.map((cells) =>
    line(cells.map((cell) => escaped(cell).replaceAll('|', '\\|').replaceAll('\n', ' '))),
  );
  return [line(head), line(head.map(() => '---')), ...body].join('\n');
}

/** Escapes the characters that Markdown or Vue would interpret, except between backticks. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, i) =>
      i % 2 === 1 ? part : part.replaceAll('*', '\\*').replaceAll('_', '\\_').replaceAll('{{', '{\u200B{'),
    )
    .join('');
}
