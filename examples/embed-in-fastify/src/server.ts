import { createHeadwater, guardServer, headwaterPlugin } from '@headwater/http-adapter-fastify';
import { lulcPipeline } from '@headwater/land-cover';
import fastify, { type FastifyInstance } from 'fastify';

/** What the host decides. */
export interface HostOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** Public address of the host; Headwater lives below `/geo`. */
  readonly publicUrl: string;
  /** Key of Headwater's tokens, at least 32 random bytes. */
  readonly secret: string;
}

/** A host server with routes of its own, and Headwater below `/geo`. */
export async function startHost({ port, publicUrl, secret }: HostOptions): Promise<FastifyInstance> {
  // Stores are in memory here; give `stores` (@headwater/postgres) and `compute` (@headwater/raster) for the real thing.
  const headwater = createHeadwater({ baseUrl: `${publicUrl}/geo`, secret, pipelines: [lulcPipeline] });
  headwater.start();

  // What comes while the host closes is refused in Headwater's words below `/geo`; Fastify would answer in its own.
  const app = fastify({ http: { connectionsCheckingInterval: 5000 }, return503OnClosing: false });
  guardServer(app.server);
  app.get('/hello', () => ({ hello: 'from the host' }));
  await app.register(headwaterPlugin, { prefix: '/geo', service: headwater.service });
  // Not `onClose`: Fastify calls that once all answers are sent, and event streams end with the service.
  app.addHook('preClose', () => headwater.close());

  await app.listen({ port, host: '127.0.0.1' });
  return app;
}
