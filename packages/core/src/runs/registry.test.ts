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

  it('refuses duplicate names, routes and aliases', () => {
    expect(() => createPipelineRegistry([pipeline, { ...pipeline, route: 'other' }])).toThrow(
      `Two pipelines have the name ${pipeline.name};`,
    );
    expect(() => createPipelineRegistry([pipeline, { ...pipeline, name: 'b' }])).toThrow(
      `pipelines ${pipeline.name} and b share the route or alias ${pipeline.route};`,
    );
    const aliased = { ...pipeline, name: 'b', route: 'b', aliases: [pipeline.route] };
    expect(() => createPipelineRegistry([pipeline, aliased])).toThrow('route or alias');
  });

  it('refuses a dependency on an unknown pipeline, with a message that names both pipelines', () => {
    expect(() => createPipelineRegistry([{ ...pipeline, dependsOn: ['lulc_for_tehsl'] }])).toThrow(
      `Pipeline ${pipeline.name} depends on lulc_for_tehsl, which is not registered;`,
    );
    expect(() => createPipelineRegistry([{ ...pipeline, dependsOn: [pipeline.name] }])).toThrow('in a circle');
  });

  it('accepts pipelines with any types of parameters; `start` checks the type of the request', () => {
    expectTypeOf(pipeline).toExtend<AnyPipeline>();
    const service: Pick<RunService, 'start'> = { start: () => Promise.reject(new Error('only for its types')) };
    // @ts-expect-error -- the request of this pipeline is { n: number }
    const wrong = (): unknown => service.start({ user: bench().owner.user }, pipeline, { m: 1 });
    expect(wrong).toBeTypeOf('function');
  });
});

it('inDependencyOrder puts pipelines after the pipelines that they depend on, and otherwise keeps the given order', () => {
  const { pipeline } = bench();
  const named = (name: string, ...dependsOn: readonly string[]): AnyPipeline => ({ ...pipeline, name, dependsOn });
  const list = [named('vector', 'change'), named('block'), named('change', 'cover', 'elsewhere'), named('cover')];
  expect(inDependencyOrder(list).map(({ name }) => name)).toEqual(['cover', 'change', 'vector', 'block']);
});
