import { DomainError } from '@headwater/core';
import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { definePipeline } from './define-pipeline.ts';

const pipeline = definePipeline({
  name: 'width',
  method: '2',
  summary: 'Publishes nothing.',
  examples: [{ name: 'start', request: { lineWidth: 1 } }],
  request: z.object({ lineWidth: z.int(), label: z.string().optional() }),
  resolve: async ({ lineWidth, label }) => ({ tehsilId: lineWidth, label: label ?? '' }),
  steps: [],
  run: async ({ params }) => {
    expectTypeOf(params).toEqualTypeOf<{ tehsilId: number; label: string }>();
    throw new DomainError('internal', params.label);
  },
});

it('infers requests from the schema, and parameters from the result of resolve', () => {
  type Asked = Parameters<typeof pipeline.resolve>[0];
  expectTypeOf<Asked>().toEqualTypeOf<{ lineWidth: number; label?: string | undefined }>();
  expectTypeOf(pipeline.fingerprint).parameter(0).toEqualTypeOf<{ tehsilId: number; label: string }>();
  // @ts-expect-error: a number is not a label
  const wrong: Asked = { lineWidth: 1, label: 2 };
  expect(pipeline.request.safeParse(wrong).success).toBe(false);
});

it('adds default texts, route and fingerprint', () => {
  expect(pipeline).toMatchObject({
    route: 'width',
    aliases: [],
    messages: { initiated: 'width task initiated', finished: 'width finished' },
  });
  expect(pipeline.fingerprint({ tehsilId: 3, label: 'a' })).toBe('width:2:{"tehsilId":3,"label":"a"}');
});
