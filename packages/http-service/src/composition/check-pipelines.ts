import type { AnyPipeline } from '@headwater/core';
import { sharedRoutes } from '@headwater/core/runs';
import { isObject } from '@headwater/core/values';
import { wireField } from '../wire/request-names.ts';
import { ComputeExtras } from '../features/runs/schemas/compute.ts';

/**
 * Problems of pipelines, each with a remedy. Each problem would break a route, its documentation or its runs.
 */
export function pipelineProblems(pipelines: readonly AnyPipeline[]): readonly string[] {
  const names = pipelines.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...(twice.length === 0 ? sharedRoutes(pipelines) : []),
    ...twice.map((name) => `two pipelines are named ${name}; rename one`),
    ...pipelines.flatMap((pipeline) =>
      [...nameProblems(pipeline), ...paramProblems(pipeline), ...exampleProblems(pipeline)].map(
        (problem) => `pipeline ${pipeline.name}: ${problem}`,
      ),
    ),
  ];
}

function nameProblems({ request }: AnyPipeline): readonly string[] {
  const taken = new Map(Object.keys(ComputeExtras.shape).map((name) => [name, 'the body of every computing request']));
  return Object.keys(request.shape).flatMap((field) => {
    const { name, aliases } = wireField(field);
    const clashes = [name, ...aliases].flatMap((each) => {
      const owner = taken.get(each);
      return owner === undefined
        ? []
        : [`field ${field} is sent as ${each}, a name that ${owner} already has; rename the field`];
    });
    for (const each of [name, ...aliases]) taken.set(each, `field ${field}`);
    return clashes;
  });
}

/** Parameters that the service adds to a stored run and removes before `execute`. */
const RESERVED = ['call', 'sceneEngine'];

/**
 * Problems of parameters with reserved names. Fields of the request count too, because they usually become parameters.
 */
function paramProblems({ request, params }: AnyPipeline): readonly string[] {
  const shape: unknown = 'shape' in params ? params.shape : undefined;
  const names = new Set([...Object.keys(request.shape), ...Object.keys(isObject(shape) ? shape : {})]);
  return RESERVED.filter((name) => names.has(name)).map(
    (name) => `parameter ${name} has a name that the service uses for runs; rename the parameter`,
  );
}

function exampleProblems({ examples }: AnyPipeline): readonly string[] {
  return examples.length === 0 ? ['has no example; add a request that works'] : [];
}
