export { createSampleService, publishAsSample, SAMPLE_SECRET, SAMPLE_USERS } from './fixture/sample-service.ts';
export { createProbes, type ProbeLog } from './probes/index.ts';
export { describeHttpTarget, type HttpSuiteOptions } from './suite/index.ts';
export { pipelineCases } from './suite/pipelines.ts';
export { listening } from './targets/listening.ts';
export { HOST_TEXT, type HostOptions, type HttpTarget, type Mount, type RunningHost } from './targets/target.ts';
