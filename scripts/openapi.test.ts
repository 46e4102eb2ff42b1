import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApiText } from './openapi.ts';

test('docs/openapi.json matches the table of operations (npm run openapi writes it)', () => {
  const committed = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(committed)).toEqual(JSON.parse(openApiText()));
});
