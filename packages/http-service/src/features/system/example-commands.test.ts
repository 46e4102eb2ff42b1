import { expect, test } from 'vitest';
import { generateOpenApi } from '../../openapi/generate.ts';
import { buildOperations } from '../index.ts';
import { docsContent } from './page/docs-page.ts';
import type { Operation } from '../../rows/operation.ts';
import { samplePipeline } from '../../layers/sample-layer.fixture.ts';
import { NOTHING_KNOWN } from '../../pages/known-names.ts';
import { exampleCommands } from './example-commands.ts';

const baseUrl = 'http://localhost';
const operations = buildOperations([samplePipeline]);
const lines = exampleCommands(operations, { baseUrl, known: NOTHING_KNOWN });

test('the reference has a command and its status for each example, except refusals for missing rights', async () => {
  const page = String(await docsContent(generateOpenApi(operations, '1'), { baseUrl, lines }));
  const statuses = [...page.matchAll(/<code data-status="(\d+)">/g)].map(([, status]) => Number(status));
  const promised = operations
    .flatMap(({ examples }) => examples.map(({ status }) => status))
    .filter((status) => status !== 403);
  const inOrder = (all: readonly number[]): readonly number[] => all.toSorted((a, b) => a - b);
  expect(inOrder(statuses)).toEqual(inOrder(promised));
});

test('the commands for a row create an API key after the sign-in only if the row accepts an API key', () => {
  const signIn = (auth: Operation['auth']): string => {
    const row = { ...operations.find(({ id }) => id === 'listApiKeys'), auth } as Operation;
    return exampleCommands([row], { baseUrl, known: NOTHING_KNOWN }).signIn;
  };
  expect(signIn('apiKey')).toMatch(/^NAME=[\s\S]*\nTOKEN=[\s\S]*\nKEY=\$\(curl [\s\S]*generate_api_key/);
  for (const auth of ['public', 'token', 'bearer'] as const) expect(signIn(auth)).not.toContain('KEY=');
});

test('the reference of a service without land cover has the examples of its pipeline and does not mention land cover', async () => {
  const page = String(await docsContent(generateOpenApi(operations, '1'), { baseUrl, lines }));
  expect(page).toContain('/api/v1/sample_layer/');
  expect(page).toContain('&quot;district&quot;:&quot;Sample District&quot;');
  // Five indicator fields have these names in every service.
  const words = page.replaceAll(/lulc_(?:slope_category|plain_category|(?:shrub|forest|crop)_percent)/g, '');
  expect(words).not.toMatch(/land.?(use|cover)|lulc/i);
});
