import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createExpressRouter, createHeadwater, guardServer } from '@headwater/http-adapter-express';
import { lulcPipeline } from '@headwater/land-cover';
import express from 'express';

/** Options of the host. */
export interface HostOptions {
  /** Port to listen on; 0 means any free port. */
  readonly port: number;
  /** Public address of the host; Headwater is mounted at `/geo`. */
  readonly publicUrl: string;
  /** Key of Headwater's tokens, at least 32 random bytes. */
  readonly secret: string;
}

/** A listening host. */
export interface Host {
  readonly server: Server;
  /** Stops listening and closes Headwater; resolves when every response is sent. */
  close(): Promise<void>;
}

/** Starts a host server with its own routes, and Headwater at `/geo`. */
export async function startHost({ port, publicUrl, secret }: HostOptions): Promise<Host> {
  // Data are in memory here. For production pass `stores` (@headwater/postgres) and `compute` (@headwater/server).
  const headwater = createHeadwater({ baseUrl: `${publicUrl}/geo`, secret, pipelines: [lulcPipeline] });
  await headwater.start();

  const app = express();
  // Mounted before the host's body parser, so that errors about bodies have Headwater's messages.
  app.use('/geo', createExpressRouter(headwater.service));
  app.use(express.json());
  app.get('/hello', (_req, res) => void res.json({ hello: 'from the host' }));

  const server = createServer({ connectionsCheckingInterval: 5000 }, app).listen(port);
  guardServer(server);
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    // Headwater sends pending responses before it closes its stores.
    server.close();
    await headwater.close();
    server.closeIdleConnections();
    await closed;
  };
  return { server, close };
}
