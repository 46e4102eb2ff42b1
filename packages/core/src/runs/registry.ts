import type { AnyPipeline, PipelineRegistry } from './types.ts';

/** Builds the registry; throws when two pipelines share a name, or a route or alias. */
export function createPipelineRegistry(pipelines: readonly AnyPipeline[]): PipelineRegistry {
  const byName = new Map(pipelines.map((pipeline) => [pipeline.name, pipeline]));
  if (byName.size !== pipelines.length) throw new Error('Two pipelines have one name; rename one of them.');
  const routes = pipelines.flatMap((pipeline) => [pipeline.route, ...pipeline.aliases]);
  if (new Set(routes).size !== routes.length)
    throw new Error('Two pipelines share a route or alias; rename one of them.');
  return { list: [...pipelines], get: (name) => byName.get(name) };
}
