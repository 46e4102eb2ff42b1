import { messageOf } from '@headwater/core';
import { policies, policiesOf, type Policy, type SecurityScheme } from '@headwater/identity';
import type { Operation } from '../rows/operation.ts';
import { describeOperation } from './describe-operation.ts';
import type { OpenApiDocument, OpenApiOperation } from './document.ts';
import { createSchemaSink, type SchemaSink } from './json-schema.ts';
import { policyProblems, rowProblems } from './row-problems.ts';

/** Policies that the table names, ours first; those that OpenAPI has a word for become its security schemes. */
function securitySchemes(operations: readonly Operation[]): Readonly<Record<string, SecurityScheme>> {
  const all = [policies.bearer, ...policiesIn(operations)];
  return Object.fromEntries(all.flatMap(({ name, scheme }) => (scheme === undefined ? [] : [[name, scheme] as const])));
}

/** Every policy of the table, each value once. */
function policiesIn(operations: readonly Operation[]): readonly Policy[] {
  return [...new Set(operations.flatMap(({ auth }) => policiesOf(auth)))];
}

const TAGS: Readonly<Record<string, string>> = {
  system: 'pages, health and this document',
  auth: 'signing in and out',
  accounts: 'Earth-observation accounts and API keys',
  computing: 'start computations',
  'work service': 'regions and jobs for whoever may call, as orchestrators do',
  runs: 'look at, follow and cancel computations',
  stac: 'the catalogue of published layers',
  'stac-api': 'the catalogue as a STAC API: browse, search, filter',
  files: 'published files',
  tables: 'tables of numbers that belong to layers',
  map: 'layers by WFS and WCS',
  places: 'states, districts and tehsils',
  public: 'published data by API key',
};

/** What a tag of an embedder says that nobody described. */
const UNDESCRIBED = 'further operations';

/** What stands in the document beside the operations. */
export interface DocumentFacts {
  readonly version: string;
  /** Descriptions of tags beyond ours, by name. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** OpenAPI 3.1 document of the table. Throws one error that names every operation that cannot be described. */
export function generateOpenApi(operations: readonly Operation[], facts: string | DocumentFacts): OpenApiDocument {
  const { version, tags = {} } = typeof facts === 'string' ? { version: facts } : facts;
  const sink = createSchemaSink();
  const broken: string[] = [];
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const row of operations) {
    const problems = [...rowProblems(row)];
    const described = problems.length === 0 ? attempt(row, sink, problems) : undefined;
    broken.push(...problems.map((problem) => `- ${row.id} (${row.method} ${row.path}): ${problem}`));
    if (described !== undefined) (paths[openApiPath(row.path)] ??= {})[row.method.toLowerCase()] = described;
  }
  broken.push(...policyProblems(operations).map((problem) => `- ${problem}`));
  if (broken.length > 0)
    throw new Error(
      `OpenAPI: ${broken.length === 1 ? 'a problem' : `${broken.length} problems`}\n${broken.join('\n')}`,
    );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headwater',
      version,
      description: 'Geospatial layers computed per tehsil, published as STAC Items.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(tagsOf(operations, tags)).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: sorted(sink.components), securitySchemes: securitySchemes(operations) },
  };
}

// Ours first, in their order, then others as they come up in the table.
function tagsOf(operations: readonly Operation[], described: Readonly<Record<string, string>>): Record<string, string> {
  const used = operations.map(({ tag }) => [tag, UNDESCRIBED] as const);
  return { ...TAGS, ...Object.fromEntries(used.filter(([tag]) => !Object.hasOwn(TAGS, tag))), ...described };
}

/** `/runs/:id/` -> `/runs/{id}/`. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function attempt(row: Operation, sink: SchemaSink, problems: string[]): OpenApiOperation | undefined {
  try {
    return describeOperation(row, sink);
  } catch (error) {
    problems.push(messageOf(error));
    return undefined;
  }
}

function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
