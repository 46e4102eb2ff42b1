import {
  buildOperations,
  type OpenApiDocument,
  type OpenApiOperation,
  openApiPath,
  type Operation,
  type OperationExample,
  STATUS_OF,
} from '@headwater/http-service';
import { exampleUrl } from '@headwater/testkit/pipelines';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect } from 'vitest';
import { SAMPLE_PIPELINES as pipelines } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit, useHarness } from './harness.ts';

export { exampleUrl };

/** True for operations in which adapters can differ: with a body, bytes or a stream. */
export const isOfAdapters = ({ method, responses }: Operation): boolean =>
  method !== 'GET' || Object.values(responses).some(({ media }) => media !== undefined);

/** Test cases of examples. Each response must match the operation and the OpenAPI document. */
export function exampleCases(
  target: HttpTarget,
  document: OpenApiDocument,
  isWanted: (row: Operation) => boolean,
): void {
  describe('examples of the operations', () => {
    const harness = useHarness(target);
    const check = createChecker(document);
    for (const row of buildOperations(pipelines).filter(isWanted)) {
      for (const example of row.examples) {
        defineCase(target, `${row.id}: ${example.name}`, async () => {
          const headers = { ...example.headers, ...(await harness().credentials(row)) };
          const init = exampleInit(row, example, headers);
          const answer = await harness().get(exampleUrl(row, example), init);
          const body = await answer.text();
          expect({ status: answer.status, body }).toMatchObject({ status: example.status });
          checkRow(row, answer.status, body);
          check(row, answer, body);
        });
      }
    }
  });
}

/** Method, headers and body of an example. */
export function exampleInit(
  { method }: Operation,
  { body, status }: OperationExample,
  headers: Record<string, string>,
): RequestInit {
  const redirect = status >= 300 && status < 400 ? 'manual' : 'follow';
  return method === 'GET' ? { headers, redirect } : { ...jsonInit(body ?? {}, headers), method, redirect };
}

function checkRow(row: Operation, status: number, body: string): void {
  const spec = row.responses[status];
  if (spec === undefined) expect(row.errors.map((code) => STATUS_OF[code])).toContain(status);
  else if (spec.schema !== undefined && body.startsWith('{')) spec.schema.parse(JSON.parse(body));
}

/** Creates a check of responses. It is created only once, because schemas take long to compile. */
function createChecker(document: OpenApiDocument): (row: Operation, answer: Response, body: string) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document, 'api');
  return (row, answer, body) => {
    const path = openApiPath(row.path);
    const { responses } = document.paths[path]?.[row.method.toLowerCase()] ?? NONE;
    const promised = responses[String(answer.status)];
    expect({ row: row.id, promised: Object.keys(responses) }).toMatchObject({
      promised: expect.arrayContaining([String(answer.status)]),
    });
    const type = (answer.headers.get('content-type') ?? '').replace(/; charset=utf-8$/, '');
    if (type === '') return;
    expect(Object.keys(promised?.content ?? {})).toContain(type);
    const content = promised?.content?.[type];
    if (typeof content !== 'object' || content === null || !('schema' in content)) return;
    const parts = [
      'paths',
      path,
      row.method.toLowerCase(),
      'responses',
      String(answer.status),
      'content',
      type,
      'schema',
    ];
    const validate = ajv.getSchema(`api#/${parts.map(pointerPart).join('/')}`);
    const valid = validate?.(JSON.parse(body));
    expect({ valid, errors: validate?.errors ?? [] }).toEqual({ valid: true, errors: [] });
  };
}

const NONE: Pick<OpenApiOperation, 'responses'> = { responses: {} };

function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
