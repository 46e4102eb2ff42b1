import type { z } from 'zod';
import { crossCheck } from './cross-check.ts';
import {
  algorithmInstanceDocument,
  algorithmTypeDocument,
  dagDocument,
  datasetInstanceDocument,
  datasetTypeDocument,
  type Workflow,
  WORKFLOW_FILES,
  type WorkflowTexts,
} from './documents.ts';
import { FaultList, fieldOf, type FileFault, valueAt, wordIssue } from './faults.ts';
import { type Entry, parseYaml, type Tag } from './parse-yaml.ts';

/** Content of the files, or their faults. */
export type ReadOutcome =
  | { readonly kind: 'read'; readonly workflow: Workflow }
  | { readonly kind: 'faults'; readonly faults: readonly FileFault[] };

/** File of each tag. The generator of DAGs ignores most documents in a wrong file without an error. */
const FILE_OF_TAG: Readonly<Record<Tag, keyof WorkflowTexts>> = {
  '!DAG': 'dag',
  '!Dataset_Type': 'dag',
  '!Algorithm_Type': 'dag',
  '!Algorithm_Instance': 'algorithms',
  '!Dataset_Instance': 'datasets',
};

/**
 * Reads the three files of a workflow by the rules of the generator of DAGs. References are checked only if all
 * documents are valid. Unknown members are left out.
 */
export function readWorkflowFiles(texts: WorkflowTexts): ReadOutcome {
  const faults = new FaultList<FileFault>();
  const entries: Entry[] = [];
  for (const file of ['dag', 'algorithms', 'datasets'] as const) {
    for (const entry of parseYaml({ file: WORKFLOW_FILES[file], text: texts[file], faults }))
      if (FILE_OF_TAG[entry.tag] === file) entries.push(entry);
      else faults.add(misplaced(entry, file));
  }
  const workflow = readDocuments(entries, faults);
  if (workflow === undefined || faults.count > 0) return { kind: 'faults', faults: faults.list() };
  crossCheck(workflow, ({ tag, index, path }, problem, remedy) => {
    const entry = entries.filter((candidate) => candidate.tag === tag)[index];
    faults.add({ file: fileOf(tag), line: entry?.lineAt(path) ?? 1, field: fieldName(tag, path), problem, remedy });
  });
  return faults.count > 0 ? { kind: 'faults', faults: faults.list() } : { kind: 'read', workflow };
}

function readDocuments(entries: readonly Entry[], faults: FaultList<FileFault>): Workflow | undefined {
  const read = <T>(tag: Tag, schema: z.ZodType<T>): readonly T[] =>
    entries.filter((entry) => entry.tag === tag).flatMap((entry) => readEntry(entry, schema, faults));
  const dags = read('!DAG', dagDocument);
  const workflow = {
    datasetTypes: read('!Dataset_Type', datasetTypeDocument),
    algorithmTypes: read('!Algorithm_Type', algorithmTypeDocument),
    algorithmInstances: read('!Algorithm_Instance', algorithmInstanceDocument),
    datasetInstances: read('!Dataset_Instance', datasetInstanceDocument),
  };
  const found = entries.filter((entry) => entry.tag === '!DAG');
  if (found.length !== 1)
    faults.add({
      file: WORKFLOW_FILES.dag,
      line: found[1]?.lineAt([]) ?? 1,
      field: '!DAG',
      problem: found.length === 0 ? 'is missing' : 'exists more than once; the generator would use the last',
      remedy: 'write one workflow in a file, and each workflow into its own folder',
    });
  const [dag] = dags;
  return dag === undefined ? undefined : { dag, ...workflow };
}

function readEntry<T>({ tag, value, lineAt }: Entry, schema: z.ZodType<T>, faults: FaultList<FileFault>): readonly T[] {
  const checked = schema.safeParse(value);
  if (checked.success) return [checked.data];
  for (const issue of checked.error.issues)
    faults.add({
      file: fileOf(tag),
      line: lineAt(issue.path),
      field: fieldName(tag, issue.path),
      ...wordIssue(issue, valueAt(value, issue.path)),
    });
  return [];
}

function misplaced({ tag, lineAt }: Entry, file: keyof WorkflowTexts): FileFault {
  const problem = `is in ${WORKFLOW_FILES[file]}, where the generator ignores it or stops`;
  return { file: WORKFLOW_FILES[file], line: lineAt([]), field: tag, problem, remedy: `move it to ${fileOf(tag)}` };
}

const fileOf = (tag: Tag) => WORKFLOW_FILES[FILE_OF_TAG[tag]];
const fieldName = (tag: Tag, path: readonly PropertyKey[]) => (path.length === 0 ? tag : `${tag}.${fieldOf(path)}`);
