import { existsSync } from 'node:fs';
import {
  createPipelines,
  createServer,
  endWithFailure,
  misspeltVariables,
  readConfig,
  readServeOptions,
  type Server,
  type ServerOptions,
} from '@headwater/server';

/**
 * Starts the whole server in five steps (step 1 is in `main.ts`); copy it to build your own server. Ends the process on
 * failure.
 */
export async function startReferenceServer(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  options: ServerOptions = { ownsProcess: true },
): Promise<Server> {
  try {
    const server = await wire(env, args, options);
    // Step 5: start. The sample and its layers are computed in the background.
    await server.start();
    return server;
  } catch (error) {
    return endWithFailure(error, 'cannot start');
  }
}

async function wire(env: NodeJS.ProcessEnv, args: readonly string[], options: ServerOptions): Promise<Server> {
  // Step 2: settings (.env.example). Your own program can pass `{ dataDir: 'data', port: 8080 }` to `createServer`
  // instead.
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(env, readServeOptions(args, env));

  // Step 3: layers. Add your own pipelines to this list (docs/write-a-pipeline.md).
  const pipelines = [
    ...createPipelines({ maxCloudCover: config.maxCloudCover, streamHectares: config.streamHectares }),
  ];

  // Step 4: the server with database, files, scenes and worker. With `ownsProcess`, signals stop the server.
  const server = await createServer(config, { pipelines, ...options });
  for (const line of misspeltVariables(env)) server.logger.error({}, line);
  return server;
}
