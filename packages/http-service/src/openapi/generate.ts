import type { OpenApiDocument, OpenApiOperation } from '../deps.ts';
import type { Operation } from '../operation.ts';
import { createSchemaSink, type SchemaSink } from './json-schema.ts';
import { describeOperation } from './describe-operation.ts';

const TAGS: Readonly<Record<string, string>> = {
  system: 'pages, health and this document',
  auth: 'signing in and out',
  accounts: 'Earth-observation accounts',
  computing: 'start computations',
  runs: 'look at, follow and cancel computations',
  stac: 'the catalogue of published layers',
  files: 'published files',
  map: 'layers by WFS and WCS',
  places: 'states, districts and tehsils',
};

/** OpenAPI 3.1 document of the table. Throws one error that names every operation that cannot be described. */
export function generateOpenApi(operations: readonly Operation[], version: string): OpenApiDocument {
  const sink = createSchemaSink();
  const broken: string[] = [];
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const row of operations) {
    const problems = problemsOf(row);
    const described = problems.length === 0 ? attempt(row, sink, problems) : undefined;
    broken.push(...problems.map((problem) => `- ${row.id} (${row.method} ${row.path}): ${problem}`));
    if (described !== undefined) (paths[openApiPath(row.path)] ??= {})[row.method.toLowerCase()] = described;
  }
  if (broken.length > 0) throw new Error(`OpenAPI: ${broken.length} problems\n${broken.join('\n')}`);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headwater',
      version,
      description: 'Geospatial layers computed per tehsil, published as STAC Items.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sorted(sink.components),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

/** `/runs/:id/` -> `/runs/{id}/`. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function attempt(row: Operation, sink: SchemaSink, problems: string[]): OpenApiOperation | undefined {
  try {
    return describeOperation(row, sink);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function problemsOf(row: Operation): string[] {
  const problems: string[] = [];
  if (row.summary === '') problems.push('has no summary; write a sentence');
  if (TAGS[row.tag] === undefined) problems.push(`tag ${row.tag} is unknown; describe it in openapi/generate.ts`);
  if (row.path.includes(':') !== (row.params !== undefined)) problems.push('path parameters and `params` do not agree');
  if (row.method === 'GET' && row.body !== undefined) problems.push('a GET has no body; use query');
  if (row.examples.length === 0) problems.push('has no example; add one that the fixture can answer');
  return problems;
}

function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
