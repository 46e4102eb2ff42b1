export type { DatasetDescription, PipelineDescription, WorkflowDescription } from './describe.ts';
export { RUN_PARAMETERS } from './describe.ts';
export type {
  AlgorithmInstanceDocument,
  AlgorithmTypeDocument,
  DagDocument,
  DatasetInstanceDocument,
  DatasetTypeDocument,
  Workflow,
  WorkflowTexts,
} from './documents.ts';
export { WORKFLOW_FILES } from './documents.ts';
export type { FileFault, WorkflowFault } from './faults.ts';
export { type ReadOutcome, readWorkflowFiles } from './read.ts';
export { type WriteOutcome, writeWorkflowFiles, type WrittenWorkflow } from './write.ts';
