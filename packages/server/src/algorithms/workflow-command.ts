import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  WORKFLOW_FILES,
  type WrittenWorkflow,
  writeWorkflowFiles,
} from '@headwater/orchestrator-client/workflow-files';
import { ConfigError } from '../config/config-error.ts';
import { createPipelines } from '../pipelines.ts';
import { readRelease } from '../read-version.ts';
import { checkWorkflows } from './check-workflows.ts';
import { describeWorkflows } from './describe-workflows.ts';
import { readWorkflowOptions, type WorkflowWriting } from './workflow-options.ts';

/** Input and output of the command. */
export interface WorkflowSurroundings {
  /** Value of `SERVICE_API_BASE`, if it is set. */
  readonly service: string | undefined;
  readonly print: (line: string) => void;
}

/**
 * Writes the three files of each pipeline, or validates the files of a folder; returns true if all are valid. Throws `ConfigError` for invalid
 * arguments and descriptions; then no file was written.
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

/** Option or variable of a member of the description. */
function nameOf(field: string): string {
  if (field === 'serviceApiBase') return 'SERVICE_API_BASE (or --service)';
  if (field === 'code' || field === 'date') return `--${field}`;
  if (field.endsWith('.container.image')) return '--image';
  return field.includes('.container.volumes') ? '--volume' : field;
}

/** Writes the files of a workflow. Each is renamed into place, so that a generator reads a complete file at any time. */
async function writeTexts(folder: string, { texts }: WrittenWorkflow): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [key, name] of Object.entries(WORKFLOW_FILES)) {
    const path = join(folder, name);
    await writeFile(`${path}.new`, texts[key as keyof typeof WORKFLOW_FILES]);
    await rename(`${path}.new`, path);
  }
}
