import type { AnyPipeline, PipelineRegistry } from './types.ts';

/** Builds the registry; throws when two pipelines share a name, or a route or alias. */
export function createPipelineRegistry(pipelines: readonly AnyPipeline[]): PipelineRegistry {
  const byName = new Map(pipelines.map((pipeline) => [pipeline.name, pipeline]));
  if (byName.size !== pipelines.length) throw new Error('Two pipelines have one name; rename one of them.');
  const routes = pipelines.flatMap((pipeline) => [pipeline.route, ...pipeline.aliases]);
  if (new Set(routes).size !== routes.length)
    throw new Error('Two pipelines share a route or alias; rename one of them.');
  const circle = circleAmong(byName);
  if (circle !== undefined) {
    throw new Error(
      `Pipelines depend on each other in a circle: ${circle.join(' -> ')}; take one step out of dependsOn.`,
    );
  }
  return { list: [...pipelines], get: (name) => byName.get(name) };
}

/** Names of pipelines that lead back to the first of them by `dependsOn`, if there are any. */
function circleAmong(pipelines: ReadonlyMap<string, AnyPipeline>): readonly string[] | undefined {
  const done = new Set<string>();
  const from = (name: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of pipelines.get(name)?.dependsOn ?? []) {
      const found = from(next, [...way, name]);
      if (found !== undefined) return found;
    }
    done.add(name);
    return undefined;
  };
  for (const name of pipelines.keys()) {
    const found = from(name, []);
    if (found !== undefined) return found;
  }
  return undefined;
}
