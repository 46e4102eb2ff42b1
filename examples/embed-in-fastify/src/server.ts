import { createHeadwater, guardServer, headwaterPlugin } from '@headwater/http-adapter-fastify';
import { lulcPipeline } from '@headwater/land-cover';
import fastify, { type FastifyInstance } from 'fastify';

/** Options of the host. */
export interface HostOptions {
  /** Port to listen on; 0 means any free port. */
  readonly port: number;
  /** Public address of the host; Headwater is mounted at `/geo`. */
  readonly publicUrl: string;
  /** Key of Headwater's tokens, at least 32 random bytes. */
  readonly secret: string;
}

/** Starts a host server with its own routes, and Headwater at `/geo`. */
export async function startHost({ port, publicUrl, secret }: HostOptions): Promise<FastifyInstance> {
  // Data are in memory here. For production pass `stores` (@headwater/postgres) and `compute` (@headwater/server).
  const headwater = createHeadwater({ baseUrl: `${publicUrl}/geo`, secret, pipelines: [lulcPipeline] });
  await headwater.start();

  // With `return503OnClosing: false`, requests below `/geo` that arrive while the host closes get Headwater's messages
  // instead of Fastify's.
  const app = fastify({ http: { connectionsCheckingInterval: 5000 }, return503OnClosing: false });
  guardServer(app.server);
  app.get('/hello', () => ({ hello: 'from the host' }));
  await app.register(headwaterPlugin, { prefix: '/geo', service: headwater.service });

  await app.listen({ port, host: '127.0.0.1' });
  return app;
}
