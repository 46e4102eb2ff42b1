import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../rows/operation.ts';
import { buildOperations } from '../features/index.ts';
import { generateOpenApi } from './generate.ts';
import { samplePipeline } from '../layers/sample-layer.fixture.ts';

const sound: Operation = {
  id: 'sound',
  method: 'GET',
  path: '/sound/:id/',
  auth: 'bearer',
  tag: 'system',
  summary: 'A row',
  params: z.object({ id: z.string() }),
  responses: { 200: { description: 'Yes', schema: z.object({ ok: z.boolean() }) } },
  errors: ['not_found', 'not_authenticated'],
  examples: [{ name: 'one', status: 200 }],
  handler: () => ({ status: 200, json: { ok: true } }),
};

test('describes a row as an operation with parameters, security, responses and errors', () => {
  const { paths } = generateOpenApi([sound], '1.2.3');
  expect(paths['/sound/{id}/']?.['get']).toMatchObject({
    operationId: 'sound',
    security: [{ bearer: [] }],
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      200: {},
      401: {},
      404: { description: 'Not Found. `not_found`: The resource does not exist, or belongs to another account.' },
      default: {},
    },
  });
});

test('reports the problems of all invalid rows in one error', () => {
  const broken: Operation[] = [
    { ...sound, id: 'noSummary', summary: '' },
    { ...sound, id: 'wrongName', params: z.object({ other: z.string() }) },
    { ...sound, id: 'noSchema', responses: { 200: { description: 'A date', schema: z.date() } } },
    { ...sound, id: 'noExample', examples: [] },
  ];
  const message = (): string => {
    try {
      return JSON.stringify(generateOpenApi(broken, '1'));
    } catch (error) {
      return String(error);
    }
  };
  expect(message()).toMatch(/4 problems[^]*noSummary[^]*wrongName[^]*noSchema[^]*noExample/);
});

test('refuses two schemas with the same name', () => {
  const named = (value: z.ZodType): Operation['responses'] => ({ 200: { description: 'x', schema: value } });
  const one = {
    ...sound,
    id: 'one',
    path: '/one/:id/',
    responses: named(z.object({ a: z.string() }).meta({ id: 'Twin' })),
  };
  expect(() => generateOpenApi([one, { ...sound, responses: named(z.int().meta({ id: 'Twin' })) }], '1')).toThrow(
    /Twin/,
  );
});

test('describes the whole table of operations, with request bodies', () => {
  const { paths } = generateOpenApi(buildOperations([samplePipeline]), '1.2.3');
  const body = paths['/api/v1/sample_layer/']?.['post']?.requestBody?.content['application/json']?.schema;
  expect(JSON.stringify(body)).toMatch(/"start_year".*"wait"/);
});

test('rows and document name only the layers of the configured pipelines', () => {
  const rows = buildOperations([samplePipeline]);
  const examples = rows.flatMap((row) => row.examples);
  const words = JSON.stringify([generateOpenApi(rows, '1'), examples]).replaceAll(
    /lulc_(?:slope_category|plain_category|(?:shrub|forest|crop)_percent)/g,
    '',
  );
  expect(words).not.toMatch(/land.?(use|cover)|lulc/i);
});
