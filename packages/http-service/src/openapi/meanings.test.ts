import { isObject } from '@headwater/core/values';
import { expect, test } from 'vitest';
import type { OpenApiOperation } from './document.ts';
import { buildOperations } from '../features/index.ts';
import { samplePipeline } from '../layers/sample-layer.fixture.ts';
import { STATUS_OF } from '../wire/status.ts';
import { generateOpenApi } from './generate.ts';

const document = generateOpenApi(buildOperations([samplePipeline]), '1');
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const withId = (id: string): OpenApiOperation | undefined => operations.find(({ operationId }) => operationId === id);

test('describes every parameter and every field of a body', () => {
  const silent = operations.flatMap(({ operationId, parameters = [], requestBody }) => [
    ...parameters.filter(({ description = '' }) => description === '').map(({ name }) => `${operationId} ${name}`),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.entries(Object(propertiesOf(schema)))
        .filter(([, field]) => !isObject(field) || typeof field['description'] !== 'string')
        .map(([name]) => `${operationId} ${name}`),
    ),
  ]);
  expect(silent).toEqual([]);
});

function propertiesOf(schema: unknown): unknown {
  const { $ref, properties } = Object(schema) as { $ref?: string; properties?: unknown };
  if ($ref === undefined) return properties;
  return Object(document.components['schemas']?.[$ref.slice($ref.lastIndexOf('/') + 1)])['properties'];
}

test('a request must contain a required field under at least one of its names', () => {
  const schema: unknown = withId('compute_sample_layer')?.requestBody?.content['application/json']?.schema;
  expect(schema).toMatchObject({
    required: ['state', 'start_year', 'end_year'],
    allOf: [
      // A request for a whole state or district has `scope` instead of the names of the smaller units.
      { anyOf: [{ required: ['district'] }, { required: ['scope'] }] },
      { anyOf: [{ required: ['block'] }, { required: ['tehsil'] }, { required: ['scope'] }] },
      { anyOf: [{ required: ['eo_account_id'] }, { required: ['gee_account_id'] }] },
    ],
  });
});

test('the document has each example of a row under the name of the example, also examples of refused requests', () => {
  const limit = withId('listRuns')?.parameters?.find(({ name }) => name === 'limit');
  expect(limit?.examples).toEqual({
    'first page': { summary: 'answers 200', value: 2 },
    'bad limit': { summary: 'answers 400', value: 0 },
  });
  const { examples } = withId('login')?.requestBody?.content['application/json'] ?? {};
  expect(Object.entries(examples ?? {}).map(([name, { summary }]) => [name, summary])).toEqual([
    ['right', 'answers 200'],
    ['wrong password', 'answers 401'],
    ['missing', 'answers 400'],
  ]);
});

test("describes the map server's parameters, and states which of two parameters names the layer", () => {
  const parameters = withId('getLayer')?.parameters ?? [];
  expect(parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['service', 'version', 'request', 'typeName', 'CoverageId', 'outputFormat', 'run']),
  );
  const meaning = (wanted: string): string => parameters.find(({ name }) => name === wanted)?.description ?? '';
  expect(meaning('typeName')).toContain('CoverageId');
  expect(meaning('CoverageId')).toContain('typeName');
  expect(
    withId('getCoverage')
      ?.parameters?.filter(({ required }) => required)
      .map(({ name }) => name),
  ).toEqual(['workspace', 'service', 'version', 'request', 'CoverageId']);
});

test('describes every error status in a sentence', () => {
  const statuses = new Set(Object.values(STATUS_OF).map(String));
  for (const { responses } of operations)
    for (const [status, { description }] of Object.entries(responses))
      if (statuses.has(status)) expect(description).toMatch(/^[A-Z].*\.$/);
});

test('describes the rate limit of every operation with an API key', () => {
  const behindKeys = operations.filter(({ security = [] }) => security.some((each) => Object.hasOwn(each, 'apiKey')));
  expect(behindKeys.length).toBeGreaterThan(5);
  for (const { operationId, responses } of behindKeys)
    expect([operationId, responses['429']?.description]).toEqual([operationId, expect.stringContaining('Retry-After')]);
});
