export { type Config, ConfigError, readConfig } from './config/read-config.ts';
export { createServer, type Server, type ServerConfig, type ServerOptions } from './create-server.ts';
export { endWithFailure } from './end-with-failure.ts';
export { localCompute, type LocalComputeOptions } from './local-compute.ts';
export { misspeltVariables } from './config/misspelt-variables.ts';
export { createPipelines } from './pipelines.ts';
export { readServeOptions, serveHelp } from './serve-options.ts';
