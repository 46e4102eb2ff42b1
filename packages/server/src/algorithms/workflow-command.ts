import { mkdir, rename, writeFile, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  WORKFLOW_FILES,
  type WrittenWorkflow,
  writeWorkflowFiles,
  readWorkflowFiles,
  type WorkflowTexts,
} from '@headwater/orchestrator-client/workflow-files';
import { messageOf } from '@headwater/core';
import { ConfigError } from '../config/config-error.ts';
import { createPipelines } from '../pipelines.ts';
import { readRelease } from '../read-version.ts';
import { describeWorkflows } from './describe-workflows.ts';
import { readWorkflowOptions, type WorkflowWriting } from './workflow-options.ts';

/** Input and output of the command. */
export interface WorkflowSurroundings {
  /** Value of `SERVICE_API_BASE`. */
  readonly service: string | undefined;
  readonly print: (line: string) => void;
}

/**
 * Writes the three files of each pipeline, or validates the files of a folder. Returns true if all are valid. Throws
 * `ConfigError` for invalid arguments and descriptions before it writes.
 */
export async function workflowFilesCommand(
  args: readonly string[],
  { service, print }: WorkflowSurroundings,
): Promise<boolean> {
  const options = readWorkflowOptions(args);
  if (options.kind === 'check') {
    const { lines, isGood } = await checkWorkflows(options.folder);
    lines.forEach(print);
    return isGood;
  }
  const { writing } = options;
  const workflows = await written(writing, writing.service ?? service);
  for (const workflow of workflows) {
    const folder = join(writing.out, workflow.pipeline);
    await writeTexts(folder, workflow);
    print(`${folder}: ${Object.values(WORKFLOW_FILES).join(', ')}; the id of its workflow is ${workflow.dagId}`);
  }
  return true;
}

async function written(writing: WorkflowWriting, service: string | undefined): Promise<readonly WrittenWorkflow[]> {
  if (service === undefined || service === '')
    throw new ConfigError(
      'SERVICE_API_BASE: is not set; set it (or --service) to the address at which workers of the orchestrator reach this service, such as http://headwater:8000.',
    );
  const description = describeWorkflows(createPipelines(), { ...writing, service }, await readRelease());
  const outcome = writeWorkflowFiles(description);
  if (outcome.kind === 'written') return outcome.workflows;
  throw new ConfigError(
    outcome.faults.map(({ field, problem, remedy }) => `${nameOf(field)} ${problem}; ${remedy}`).join('\n'),
  );
}

function nameOf(field: string): string {
  if (field === 'serviceApiBase') return 'SERVICE_API_BASE (or --service)';
  if (field === 'code' || field === 'date') return `--${field}`;
  if (field.endsWith('.container.image')) return '--image';
  return field.includes('.container.volumes') ? '--volume' : field;
}

/** Renames complete files, so that a workflow generator never reads an incomplete file. */
async function writeTexts(folder: string, { texts }: WrittenWorkflow): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [key, name] of Object.entries(WORKFLOW_FILES)) {
    const path = join(folder, name);
    await writeFile(`${path}.new`, texts[key as keyof typeof WORKFLOW_FILES]);
    await rename(`${path}.new`, path);
  }
}

const MOST_BYTES = 4 * 2 ** 20;

interface CheckedWorkflows {
  readonly lines: readonly string[];
  readonly isGood: boolean;
}

/**
 * Validates the files of a folder, or of each folder in it. Faults have the form `file:line: field problem; remedy`.
 */
async function checkWorkflows(folder: string): Promise<CheckedWorkflows> {
  const checked = await Promise.all((await workflowFolders(folder)).map((each) => checkOne(folder, each)));
  return { lines: checked.flatMap(({ lines }) => lines), isGood: checked.every(({ isGood }) => isGood) };
}

async function workflowFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new ConfigError(
      `--check: ${folder} is not a readable folder (${messageOf(error)}); name the folder of a workflow.`,
    );
  });
  if (entries.some(({ name }) => name === WORKFLOW_FILES.dag)) return [folder];
  const inside = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const found = await Promise.all(
    inside.map(async (each) => ((await stat(join(each, WORKFLOW_FILES.dag)).catch(() => undefined)) ? [each] : [])),
  );
  const folders = found.flat().toSorted();
  if (folders.length === 0)
    throw new ConfigError(
      `--check: neither ${folder} nor a folder in it has a file ${WORKFLOW_FILES.dag}; check the path.`,
    );
  return folders;
}

async function checkOne(root: string, folder: string): Promise<CheckedWorkflows> {
  const texts: WorkflowTexts = {
    dag: await textOf(join(folder, WORKFLOW_FILES.dag)),
    algorithms: await textOf(join(folder, WORKFLOW_FILES.algorithms)),
    // The file may be missing, because a workflow without datasets does not need it.
    datasets: await textOf(join(folder, WORKFLOW_FILES.datasets), ''),
  };
  const name = relative(root, folder);
  const outcome = readWorkflowFiles(texts);
  if (outcome.kind === 'read') {
    const { dag, algorithmTypes } = outcome.workflow;
    const parameters = algorithmTypes.flatMap(({ params }) => params.map((parameter) => parameter.name));
    return {
      isGood: true,
      lines: [
        `${join(name, WORKFLOW_FILES.dag)}: ${dag.id} ${dag.version} is valid; parameters: ${[...new Set(parameters)].join(', ')}`,
      ],
    };
  }
  const lines = outcome.faults.map(
    ({ file, line, field, problem, remedy }) => `${join(name, file)}:${line}: ${field} ${problem}; ${remedy}`,
  );
  return { isGood: false, lines };
}

async function textOf(path: string, absent?: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined && absent !== undefined) return absent;
  if (found?.isFile() !== true)
    throw new ConfigError(`--check: there is no file ${path}; a workflow has it next to ${WORKFLOW_FILES.dag}.`);
  if (found.size > MOST_BYTES)
    throw new ConfigError(
      `--check: ${path} has more than ${MOST_BYTES} bytes, so it is not a workflow file; check the path.`,
    );
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`--check: ${path} cannot be read (${messageOf(error)}); check its permissions.`);
  });
}
