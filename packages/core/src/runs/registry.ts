import type { AnyPipeline, PipelineRegistry } from './types.ts';

/**
 * Builds the registry. Throws if pipelines share a name, route or alias, depend on an unknown pipeline, or depend on
 * each other in a circle.
 */
export function createPipelineRegistry(pipelines: readonly AnyPipeline[]): PipelineRegistry {
  const byName = new Map(pipelines.map((pipeline) => [pipeline.name, pipeline]));
  const twice = pipelines.find((pipeline) => byName.get(pipeline.name) !== pipeline);
  if (twice !== undefined) throw new Error(`Two pipelines have the name ${twice.name}; rename one of them.`);
  const [shared] = sharedRoutes(pipelines);
  if (shared !== undefined) throw new Error(shared);
  for (const { name, dependsOn = [] } of pipelines) {
    const unknown = dependsOn.find((other) => !byName.has(other));
    if (unknown === undefined) continue;
    throw new Error(
      `Pipeline ${name} depends on ${unknown}, which is not registered; register it too, or remove it from dependsOn.`,
    );
  }
  const circle = circleOf(byName);
  if (circle !== undefined) {
    throw new Error(
      `Pipelines depend on each other in a circle: ${circle.join(' -> ')}; remove one of these from dependsOn.`,
    );
  }
  return { list: [...pipelines], get: (name) => byName.get(name) };
}

/** Returns one sentence for each route or alias that occurs twice, with its pipelines. */
export function sharedRoutes(pipelines: readonly AnyPipeline[]): readonly string[] {
  const owners = new Map<string, string>();
  return pipelines.flatMap(({ name, route, aliases }) =>
    [route, ...aliases].flatMap((each) => {
      const owner = owners.get(each);
      owners.set(each, owner ?? name);
      if (owner === undefined) return [];
      const who = owner === name ? `pipeline ${name} has twice` : `pipelines ${owner} and ${name} share`;
      return [`${who} the route or alias ${each}; rename one`];
    }),
  );
}

/** Returns the pipelines, each after those on which it depends. Ignores unknown names in `dependsOn`. */
export function inDependencyOrder(pipelines: readonly AnyPipeline[]): readonly AnyPipeline[] {
  const byName = new Map(pipelines.map((pipeline) => [pipeline.name, pipeline]));
  const ordered = new Set<AnyPipeline>();
  const add = (pipeline: AnyPipeline | undefined): void => {
    if (pipeline === undefined || ordered.has(pipeline)) return;
    for (const name of pipeline.dependsOn ?? []) add(byName.get(name));
    ordered.add(pipeline);
  };
  pipelines.forEach(add);
  return [...ordered];
}

function circleOf(pipelines: ReadonlyMap<string, AnyPipeline>): readonly string[] | undefined {
  const done = new Set<string>();
  const from = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of pipelines.get(name)?.dependsOn ?? []) {
      const found = from(next, [...path, name]);
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
