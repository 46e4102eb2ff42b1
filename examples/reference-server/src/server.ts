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
 * Builds and starts the whole server in five steps; `main.ts` contains step 1. `npm start` and `headwater serve` call this
 * function. To build your own server, copy it. Ends the process with a message if the server cannot start.
 */
export async function startReferenceServer(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  options: ServerOptions = { ownsProcess: true },
): Promise<Server> {
  try {
    const server = await wire(env, args, options);
    // Step 5: start. The server listens; the sample and its layers are computed in the background.
    await server.start();
    return server;
  } catch (error) {
    return endWithFailure(error, 'cannot start');
  }
}

async function wire(env: NodeJS.ProcessEnv, args: readonly string[], options: ServerOptions): Promise<Server> {
  // Step 2: settings. .env.example explains each variable. Your own program can pass `{ dataDir: 'data', port: 8080 }` to
  // `createServer` instead.
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(env, readServeOptions(args, env));

  // Step 3: layers. To add a layer of your own, add its pipeline to this list (docs/write-a-pipeline.md).
  const pipelines = [
    ...createPipelines({ maxCloudCover: config.maxCloudCover, streamHectares: config.streamHectares }),
  ];

  // Step 4: the server. `createServer` opens the database (embedded under DATA_DIR, or PostgreSQL if DB_HOST is set), the files, the
  // scenes and the worker, and mounts the HTTP service in Fastify. With `ownsProcess`, signals stop the server.
  const server = await createServer(config, { pipelines, ...options });
  for (const line of misspeltVariables(env)) server.logger.error({}, line);
  return server;
}
