import { headwaterPlugin, type Headwater } from '@headwater/http-adapter-fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { ConfigError, type Config } from './config.ts';

/** Some map clients put every collection id into one GET; Node's default of 16 KiB answers them 431. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Listens with the service mounted at the root. Throws `ConfigError` naming BACKEND_PORT when the port is taken. */
export async function listen(config: Config, headwater: Headwater): Promise<FastifyInstance> {
  const app = Fastify({ http: { maxHeaderSize: MAX_HEADER_BYTES }, forceCloseConnections: true, routerOptions: { maxParamLength: 512 } });
  await app.register(headwaterPlugin, { service: headwater.service });
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`BACKEND_PORT: ${config.port} is in use by another program. Stop it, or set BACKEND_PORT to a free port.`);
    }
    throw error;
  }
  return app;
}
