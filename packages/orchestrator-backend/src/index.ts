export { orchestratorBackend } from './backend.ts';
export { confOf, type ConfSource } from './conf.ts';
export { type Job, type JobTrigger, jobTrigger, type JobTriggerOptions } from './job-trigger.ts';
export { type OrchestratorBackendOptions, BACKEND_DEFAULTS } from './settings.ts';
export { stacOutput, type StacOutput } from './output.ts';
export { probe as probeOrchestrator } from './probe.ts';
