import type { AnyPipeline } from '@headwater/core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createHeadwater } from '../headwater.ts';
import { samplePipeline } from '../layers/sample-layer.fixture.ts';

const failure = (...pipelines: readonly AnyPipeline[]): string => {
  try {
    createHeadwater({
      baseUrl: 'http://localhost',
      secret: 'a key for tests only, never for a real service',
      pipelines,
    });
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
const withRequest = (request: z.ZodObject, asked: unknown): AnyPipeline => ({
  ...samplePipeline,
  request,
  examples: [{ name: 'first', request: asked }],
});

it('accepts a pipeline whose request schema reads its example', () => expect(failure(samplePipeline)).toBe(''));

it.each([
  [
    'two pipelines of one name',
    [samplePipeline, { ...samplePipeline, route: 'b', aliases: [] }],
    /two pipelines are named sample_layer/,
  ],
  ['a pipeline without example', [{ ...samplePipeline, examples: [] }], /has no example/],
  [
    'a field that every body has',
    [withRequest(z.object({ wait: z.string() }), { wait: 'a' })],
    /wait.*body of every computing request/,
  ],
  [
    'two fields with the same wire name',
    [withRequest(z.object({ startYear: z.int(), start_year: z.int() }), { startYear: 1, start_year: 1 })],
    /start_year, a name that field startYear already has/,
  ],
  [
    'the parameter sceneEngine, which the service adds to runs of Earth Engine',
    [{ ...samplePipeline, params: z.object({ sceneEngine: z.string() }) }],
    /pipeline sample_layer: parameter sceneEngine has a name that the service uses for runs; rename the parameter/,
  ],
  [
    'a field with the parameter name call, which the service uses',
    [withRequest(z.object({ call: z.string() }), { call: 'a' })],
    /parameter call has a name that the service uses for runs; rename/,
  ],
  [
    'an example that its schema refuses',
    [withRequest(z.object({ season: z.enum(['rabi']) }), { season: 'kharif' })],
    /season.*correct one/,
  ],
])('createHeadwater refuses %s', (_what, pipelines, message) => expect(failure(...pipelines)).toMatch(message));
