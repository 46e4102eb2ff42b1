import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { messageOf } from '@headwater/core';
import { readWorkflowFiles, WORKFLOW_FILES, type WorkflowTexts } from '@headwater/orchestrator-client/workflow-files';
import { ConfigError } from '../config/config-error.ts';

/** Limit of a file in bytes; the largest that is written here has some kilobytes. */
const MOST_BYTES = 4 * 2 ** 20;

/** Lines to print about the files of a folder, and true if all files are valid. */
export interface CheckedWorkflows {
  readonly lines: readonly string[];
  readonly isGood: boolean;
}

/** Reads and validates the workflow files of a folder, or of each folder in it. Faults have the form `file:line: field problem; remedy`. */
export async function checkWorkflows(folder: string): Promise<CheckedWorkflows> {
  const checked = await Promise.all((await workflowFolders(folder)).map((each) => checkOne(folder, each)));
  return { lines: checked.flatMap(({ lines }) => lines), isGood: checked.every(({ isGood }) => isGood) };
}

async function workflowFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new ConfigError(`--check: ${folder} is not a readable folder: ${messageOf(error)}`);
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
    // The file may be empty, and it may be missing if the generator never reads it.
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
    throw new ConfigError(`--check: ${path} has more than ${MOST_BYTES} bytes; it is not a workflow file.`);
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`--check: ${path} cannot be read: ${messageOf(error)}`);
  });
}
