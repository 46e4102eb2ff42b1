import type { OpenApiDocument, OpenApiOperation } from '@headwater/http-service';
import openapiTS, { astToString } from 'openapi-typescript';

const HEAD = '// Generated from docs/openapi.json by npm run openapi. Do not edit.\n';

/** Replacements that remove generated code without information, and halve the indentation. */
const NOISE: readonly (readonly [pattern: RegExp, text: string | ((found: string) => string)])[] = [
  [/^ *\w+\?: never;\n/gm, ''],
  [/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, ''],
  [/^ *parameters: \{\n *\};\n/gm, ''],
  [/^export type .* = Record<string, never>;\n/gm, ''],
  [/ & \(\(unknown \| unknown\)( & \(unknown \| unknown\))*\)/g, ''],
  [/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2)],
];

/** Returns the types of the operations that programs use, without their errors. */
export async function apiTypes(document: OpenApiDocument): Promise<string> {
  const { paths } = document;
  // A copy, because the generator changes its input.
  const nodes = await openapiTS(JSON.parse(JSON.stringify({ ...document, paths: forPrograms(paths) })));
  return (
    HEAD +
    NOISE.reduce(
      (text, [pattern, other]) => text.replace(pattern, (found) => (typeof other === 'string' ? other : other(found))),
      astToString(nodes),
    )
  );
}

const JSON_TYPE = /[/+]json\b/;

type Paths = OpenApiDocument['paths'];
type Responses = OpenApiOperation['responses'];

/** Omits pages, their forms, files, and redirects. */
function forPrograms(paths: Paths): Paths {
  const items = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).flatMap(([method, operation]) => {
      const responses = successes(operation.responses);
      return isForPrograms(operation) ? [[method, { ...operation, responses }] as const] : [];
    });
    return [path, Object.fromEntries(operations)] as const;
  });
  return Object.fromEntries(items.filter(([, item]) => Object.keys(item).length > 0));
}

function isForPrograms({ security = [], responses }: OpenApiOperation): boolean {
  const found = Object.entries(responses).filter(([status]) => /^2(?!06)/.test(status));
  const isOfSession = security.length > 0 && security.every((each) => 'session' in each);
  // The first media type of an operation shows its purpose: HTML for pages, JSON for programs.
  const isPage = found.every(([, { content = {} }]) => Object.keys(content)[0] === 'text/html');
  // Operations that return files need no types, because clients call them by `download` and `fetch`.
  const isFile = found.every(([, { content = {} }]) => {
    const types = Object.keys(content);
    return types.length > 0 && !types.some((type) => JSON_TYPE.test(type));
  });
  return !isOfSession && !isPage && !isFile;
}

/**
 * Returns the successful responses except partial content (206). Of the media types of a response, keeps only JSON, if
 * there is JSON.
 */
function successes(responses: Responses): Responses {
  const found = Object.entries(responses).filter(([status]) => /^2(?!06)/.test(status));
  return Object.fromEntries(
    found.map(([status, { content = {}, ...response }]) => {
      const json = Object.entries(content).filter(([type]) => JSON_TYPE.test(type));
      return [status, { ...response, content: json.length === 0 ? content : Object.fromEntries(json) }];
    }),
  );
}
