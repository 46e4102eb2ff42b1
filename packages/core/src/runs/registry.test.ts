import { describe, expect, expectTypeOf, it } from 'vitest';
import { bench } from './bench.fixture.ts';
import { createPipelineRegistry, inDependencyOrder } from './registry.ts';
import type { AnyPipeline, RunService } from './types.ts';

describe('createPipelineRegistry', () => {
  const { pipeline } = bench();

  it('finds pipelines by name', () => {
    const second = { ...pipeline, name: 'second', route: 'second', aliases: ['third'] };
    const registry = createPipelineRegistry([pipeline, second]);
    expect(registry.get('second')).toBe(second);
    expect(registry.get('third')).toBeUndefined();
    expect(registry.get('__proto__')).toBeUndefined();
    expect(registry.list).toEqual([pipeline, second]);
  });

  it('refuses names, routes and aliases that stand there twice', () => {
    expect(() => createPipelineRegistry([pipeline, { ...pipeline, route: 'other' }])).toThrow('one name');
    expect(() => createPipelineRegistry([pipeline, { ...pipeline, name: 'b' }])).toThrow('route or alias');
    const aliased = { ...pipeline, name: 'b', route: 'b', aliases: [pipeline.route] };
    expect(() => createPipelineRegistry([pipeline, aliased])).toThrow('route or alias');
  });

  it('holds pipelines of any parameters, and start takes what the pipeline reads', () => {
    expectTypeOf(pipeline).toExtend<AnyPipeline>();
    const service: Pick<RunService, 'start'> = { start: () => Promise.reject(new Error('only for its types')) };
    // @ts-expect-error -- the request of this pipeline is { n: number }
    const wrong = (): unknown => service.start({ kind: 'user', user: bench().owner.user }, pipeline, { m: 1 });
    expect(wrong).toBeTypeOf('function');
  });
});

it('puts pipelines behind those that they depend on, and keeps their order else', () => {
  const { pipeline } = bench();
  const named = (name: string, ...dependsOn: readonly string[]): AnyPipeline => ({ ...pipeline, name, dependsOn });
  const given = [named('vector', 'change'), named('block'), named('change', 'cover', 'elsewhere'), named('cover')];
  expect(inDependencyOrder(given).map(({ name }) => name)).toEqual(['cover', 'change', 'vector', 'block']);
});
