import { assert } from 'vitest';
import { DESCRIPTION, LAND_COVER } from './description.fixture.ts';
import {
  type FileFault,
  type PipelineDescription,
  readWorkflowFiles,
  type WorkflowDescription,
  type WorkflowTexts,
  writeWorkflowFiles,
  type WrittenWorkflow,
} from './index.ts';

/** Writes the files of a valid description. */
export function written(description: WorkflowDescription = DESCRIPTION): readonly WrittenWorkflow[] {
  const outcome = writeWorkflowFiles(description);
  assert(outcome.kind === 'written', JSON.stringify(outcome));
  return outcome.workflows;
}

/** Files of the land-cover workflow. */
export function landCoverTexts(): WorkflowTexts {
  const [first] = written();
  assert(first !== undefined);
  return first.texts;
}

/** `field: problem` of each fault. `whole` changes the description, `change` its only pipeline. */
export function writeFaults(
  change: Partial<Record<keyof PipelineDescription, unknown>>,
  whole: Partial<WorkflowDescription> = {},
): readonly string[] {
  const outcome = writeWorkflowFiles({
    ...DESCRIPTION,
    ...whole,
    pipelines: [Object.assign({ ...LAND_COVER }, change)],
  });
  assert(outcome.kind === 'faults', 'the description was accepted');
  for (const { remedy } of outcome.faults) assert(remedy.length > 5, 'a fault without a remedy');
  return outcome.faults.map(({ field, problem }) => `${field}: ${problem}`);
}

/** Faults of invalid files. */
export function readFaults(texts: WorkflowTexts): readonly FileFault[] {
  const outcome = readWorkflowFiles(texts);
  assert(outcome.kind === 'faults', 'the files were accepted');
  for (const fault of outcome.faults) assert(fault.remedy.length > 5 && fault.line > 0, JSON.stringify(fault));
  return outcome.faults;
}

/** `file:line field problem` of each fault. */
export const faultLines = (faults: readonly FileFault[]): readonly string[] =>
  faults.map(({ file, line, field, problem }) => `${file}:${line} ${field} ${problem}`);
