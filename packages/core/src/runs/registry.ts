import type { AnyPipeline, PipelineRegistry } from './types.ts';

/**
 * Builds the registry; throws, naming the pipelines, when two share a name, or a route or alias, when one depends on another that is not
 * there, and when they depend on each other in a circle.
 */
export function createPipelineRegistry(pipelines: readonly AnyPipeline[]): PipelineRegistry {
  const byName = new Map(pipelines.map((pipeline) => [pipeline.name, pipeline]));
  const twice = pipelines.find((pipeline) => byName.get(pipeline.name) !== pipeline);
  if (twice !== undefined) throw new Error(`Two pipelines have one name, ${twice.name}; rename one of them.`);
  const [shared] = sharedRoutes(pipelines);
  if (shared !== undefined) throw new Error(shared);
  for (const { name, dependsOn = [] } of pipelines) {
    const unknown = dependsOn.find((other) => !byName.has(other));
    if (unknown === undefined) continue;
    throw new Error(
      `Pipeline ${name} depends on ${unknown}, which is no pipeline here; give that one too, or take it out of dependsOn.`,
    );
  }
  const circle = circleAmong(byName);
  if (circle !== undefined) {
    throw new Error(
      `Pipelines depend on each other in a circle: ${circle.join(' -> ')}; take one step out of dependsOn.`,
    );
  }
  return { list: [...pipelines], get: (name) => byName.get(name) };
}

/** Routes and aliases that pipelines share, each in a sentence that names the pipelines. */
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

/** Pipelines with those first that others depend on, else in the order in which they are given. What `dependsOn` names and is not among them is passed over. */
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
