import type { Workflow } from './documents.ts';
import type { Tag } from './parse-yaml.ts';

/** Position of a fault: tag, index among documents of the tag, and path in the document. */
export interface Spot {
  readonly tag: Tag;
  readonly index: number;
  readonly path: readonly PropertyKey[];
}

type Report = (spot: Spot, problem: string, remedy: string) => void;

/**
 * Checks references between documents. For a wrong reference, the workflow generator would write a failing DAG and
 * report success.
 */
export function crossCheck(workflow: Workflow, report: Report): void {
  const datasets = uniqueIds(
    workflow.datasetTypes.map(({ id }) => id),
    { tag: '!Dataset_Type', key: 'id' },
    report,
  );
  const algorithms = uniqueIds(
    workflow.algorithmTypes.map(({ id }) => id),
    { tag: '!Algorithm_Type', key: 'id' },
    report,
  );
  const instances = uniqueIds(
    workflow.algorithmInstances.map(({ type }) => type),
    { tag: '!Algorithm_Instance', key: 'type' },
    report,
  );
  const { dag } = workflow;
  const missing = (list: 'alg_type_nodes' | 'dataset_type_nodes', known: ReadonlySet<string>, tag: Tag) => {
    for (const [index, id] of dag[list].entries())
      if (!known.has(id))
        report(
          { tag: '!DAG', index: 0, path: [list, index] },
          `names ${id}, but there is no such ${tag}`,
          `add one, or remove ${id}`,
        );
  };
  for (const list of ['alg_type_nodes', 'dataset_type_nodes'] as const)
    for (const [index, id] of dag[list].entries())
      if (dag[list].indexOf(id) < index)
        report(
          { tag: '!DAG', index: 0, path: [list, index] },
          `names ${id} for the second time: a workflow has each task once`,
          'keep one of them',
        );
  missing('alg_type_nodes', algorithms, '!Algorithm_Type');
  missing('alg_type_nodes', instances, '!Algorithm_Instance');
  missing('dataset_type_nodes', datasets, '!Dataset_Type');
  checkAlgorithms(workflow, report);
  checkOrder(workflow, algorithms, report);
  for (const [index, { type }] of workflow.algorithmInstances.entries())
    if (!algorithms.has(type))
      report(
        { tag: '!Algorithm_Instance', index, path: ['type'] },
        `refers to ${type}, but there is no such !Algorithm_Type`,
        'add one',
      );
  for (const [index, { type_id }] of workflow.datasetInstances.entries())
    if (!datasets.has(type_id))
      report(
        { tag: '!Dataset_Instance', index, path: ['type_id'] },
        `refers to ${type_id}, but there is no such !Dataset_Type`,
        'add one',
      );
}

function checkOrder(workflow: Workflow, algorithms: ReadonlySet<string>, report: Report): void {
  for (const [index, { depends_on }] of workflow.algorithmTypes.entries())
    for (const [at, id] of (depends_on ?? []).entries())
      if (!algorithms.has(id))
        report(
          { tag: '!Algorithm_Type', index, path: ['depends_on', at] },
          `is ${id}, but there is no such !Algorithm_Type: the dependency would be lost`,
          `add one, or remove ${id}`,
        );
  const circle = circleOf(workflow);
  if (circle === undefined) return;
  const isByName = (workflow.algorithmTypes[circle]?.depends_on ?? []).length > 0;
  report(
    { tag: '!Algorithm_Type', index: circle, path: [] },
    'is in a cycle of algorithms, or needs an algorithm in a cycle: the orchestrator rejects cycles',
    isByName
      ? 'follow its depends_on to the cycle, and remove an algorithm from a depends_on there'
      : 'follow its input_datasets to the cycle, and remove a dataset from input_datasets or outputs there',
  );
}

interface Naming {
  readonly tag: Tag;
  readonly key: string;
}

function uniqueIds(ids: readonly string[], { tag, key }: Naming, report: Report): ReadonlySet<string> {
  const known = new Set<string>();
  for (const [index, id] of ids.entries())
    if (known.size === known.add(id).size)
      report(
        { tag, index, path: [key] },
        `is ${id} for the second time; the generator would use the last`,
        'keep one of them',
      );
  return known;
}

function checkAlgorithms({ dag, algorithmTypes }: Workflow, report: Report): void {
  const nodes = { algorithms: new Set(dag.alg_type_nodes), datasets: new Set(dag.dataset_type_nodes) };
  for (const [index, algorithm] of algorithmTypes.entries()) {
    const names = new Set<string>();
    for (const [at, { name }] of algorithm.params.entries())
      if (names.size === names.add(name).size)
        report(
          { tag: '!Algorithm_Type', index, path: ['params', at] },
          `is ${name} for the second time`,
          'keep one of them',
        );
    const uses = [...(algorithm.outputs ?? []), ...(algorithm.input_datasets ?? [])];
    if (uses.length > 0 && !nodes.algorithms.has(algorithm.id))
      report(
        { tag: '!Algorithm_Type', index, path: ['id'] },
        `is ${algorithm.id}, which has datasets but is not a node of the workflow`,
        `add it to alg_type_nodes of !DAG`,
      );
    for (const list of ['input_datasets', 'outputs'] as const)
      for (const [at, id] of (algorithm[list] ?? []).entries())
        if (!nodes.datasets.has(id))
          report(
            { tag: '!Algorithm_Type', index, path: [list, at] },
            `is ${id}, which is not a node of the workflow: the order of its algorithms would be lost`,
            'add it to dataset_type_nodes of !DAG',
          );
  }
}

/** Index of an algorithm that is in a cycle or depends on a cycle; undefined if there is no cycle (Kahn 1962). */
function circleOf({ algorithmTypes }: Workflow): number | undefined {
  const makers = new Map<string, number>();
  for (const { outputs } of algorithmTypes) for (const id of outputs ?? []) makers.set(id, (makers.get(id) ?? 0) + 1);
  const waiting = new Map(algorithmTypes.entries());
  for (let before = -1; before !== waiting.size;) {
    before = waiting.size;
    const open = new Set([...waiting.values()].map(({ id }) => id));
    for (const [index, { input_datasets, outputs, depends_on }] of waiting) {
      if ((input_datasets ?? []).some((id) => (makers.get(id) ?? 0) > 0)) continue;
      if ((depends_on ?? []).some((id) => open.has(id))) continue;
      waiting.delete(index);
      for (const id of outputs ?? []) makers.set(id, (makers.get(id) ?? 0) - 1);
    }
  }
  return waiting.keys().next().value;
}
