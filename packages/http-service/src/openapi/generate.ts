import { messageOf } from '@headwater/core';
import { policies, policiesOf, type Policy, type SecurityScheme } from '@headwater/identity';
import type { Operation } from '../rows/operation.ts';
import { describeOperation } from './describe-operation.ts';
import type { OpenApiDocument, OpenApiOperation } from './document.ts';
import { createSchemaSink, type SchemaPart, SchemaParts } from './json-schema.ts';
import { policyProblems, rowProblems } from './row-problems.ts';

function securitySchemes(operations: readonly Operation[]): Readonly<Record<string, SecurityScheme>> {
  const all = [policies.bearer, ...policiesIn(operations)];
  return Object.fromEntries(all.flatMap(({ name, scheme }) => (scheme === undefined ? [] : [[name, scheme] as const])));
}

function policiesIn(operations: readonly Operation[]): readonly Policy[] {
  return [...new Set(operations.flatMap(({ auth }) => policiesOf(auth)))];
}

const TAGS: Readonly<Record<string, string>> = {
  system: 'pages, health and this document',
  pages: 'pages for users: sign-in, dashboard',
  auth: 'login, logout, registration and passwords',
  accounts: 'users, organisations, groups, projects, Earth-observation accounts and API keys',
  computing: 'start computations',
  'work service': 'computes regions and runs jobs, compatible with orchestrators',
  runs: 'read, follow and cancel computations',
  stac: 'the catalogue of published layers',
  'stac-api': 'the catalogue as a STAC API: browse, search, filter',
  files: 'published files',
  tables: 'tables of numbers that belong to layers',
  map: 'the map server: layers by WMS, WFS, WCS, OGC APIs and tiles',
  operators: 'state of layers, workspaces and tasks, for dashboards of operators',
  places: 'states, districts and tehsils',
  public: 'published data by API key',
};

const UNDESCRIBED = 'further operations';

/** Facts for the document that are not in the operations. */
export interface DocumentFacts {
  readonly version: string;
  /** Descriptions of the embedder's tags, by name. */
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * Returns the OpenAPI 3.1 document of the operations. Throws one error with all problems of the operations and their
 * policies.
 */
export function generateOpenApi(operations: readonly Operation[], facts: string | DocumentFacts): OpenApiDocument {
  const { version, tags = {} } = typeof facts === 'string' ? { version: facts } : facts;
  const parts = new SchemaParts();
  const broken: string[] = [];
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const row of operations) {
    const described = descriptionOf(row);
    const problems = 'problems' in described ? described.problems : problemsOf(() => parts.add(described.parts));
    broken.push(...problems.map((problem) => `- ${row.id} (${row.method} ${row.path}): ${problem}`));
    if ('operation' in described) (paths[openApiPath(row.path)] ??= {})[row.method.toLowerCase()] = described.operation;
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
    servers: [{ url: '/', description: 'The root of the server that serves this document' }],
    tags: Object.entries(tagsOf(operations, tags)).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: componentsOf(parts), securitySchemes: securitySchemes(operations) },
  };
}

// Descriptions of the used tags, and of all tags in `described`. Tags of this service come first, in the order of
// `TAGS`.
function tagsOf(operations: readonly Operation[], described: Readonly<Record<string, string>>): Record<string, string> {
  const used = operations.map(({ tag }) => [tag, UNDESCRIBED] as const);
  const own = Object.entries(TAGS).filter(([tag]) => operations.some((row) => row.tag === tag));
  return { ...Object.fromEntries([...own, ...used.filter(([tag]) => !Object.hasOwn(TAGS, tag))]), ...described };
}

/** `/runs/:id/` -> `/runs/{id}/`. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

type Description =
  | { readonly operation: OpenApiOperation; readonly parts: Iterable<SchemaPart> }
  | { readonly problems: readonly string[] };

const DESCRIBED = new WeakMap<Operation, Description>();

/** Cached, because the services of a process share most operations. */
function descriptionOf(row: Operation): Description {
  const description = DESCRIBED.get(row) ?? describe(row);
  DESCRIBED.set(row, description);
  return description;
}

function describe(row: Operation): Description {
  const problems = rowProblems(row);
  if (problems.length > 0) return { problems };
  const sink = createSchemaSink();
  try {
    return { operation: describeOperation(row, sink), parts: sink.parts };
  } catch (error) {
    return { problems: [messageOf(error)] };
  }
}

function problemsOf(work: () => void): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

function componentsOf(parts: SchemaParts): Record<string, unknown> {
  const schemas = [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(schemas.map(({ name, schema }) => [name, schema]));
}
