import type { CommandCall } from './command.ts';
import { createServer } from './create-server.ts';
import { readServeOptions } from './serve-options.ts';

/** Serves until a signal or a fault ends the process. */
export async function serveCommand({ args, config, warnOfMisspelt }: CommandCall): Promise<void> {
  const server = await createServer(config(readServeOptions(args)), { ownsProcess: true });
  warnOfMisspelt((line) => server.logger.error({}, line));
  await server.start();
}
