export { createSampleService, publishAsSample, SAMPLE_SECRET, SAMPLE_USERS } from './fixture/sample-service.ts';
export { createProbes, type ProbeLog } from '@headwater/testkit/http';
export { describeHttpTarget, type HttpSuiteOptions } from './suite/index.ts';

export { listening } from '@headwater/testkit/http';
export { HOST_TEXT, type HostOptions, type HttpTarget, type Mount, type RunningHost } from './targets/target.ts';
