import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createExpressRouter, createHeadwater, guardServer } from '@headwater/http-adapter-express';
import { lulcPipeline } from '@headwater/land-cover';
import express from 'express';

/** What the host decides. */
export interface HostOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** Public address of the host; Headwater lives below `/geo`. */
  readonly publicUrl: string;
  /** Key of Headwater's tokens, at least 32 random bytes. */
  readonly secret: string;
}

/** A host that listens. */
export interface Host {
  readonly server: Server;
  /** Stops listening and ends Headwater; resolves when every answer is sent. */
  close(): Promise<void>;
}

/** A host server with routes of its own, and Headwater below `/geo`. */
export async function startHost({ port, publicUrl, secret }: HostOptions): Promise<Host> {
  // Stores are in memory here; give `stores` (@headwater/postgres) and `compute` (@headwater/raster) for the real thing.
  const headwater = createHeadwater({ baseUrl: `${publicUrl}/geo`, secret, pipelines: [lulcPipeline] });
  headwater.start();

  const app = express();
  // Before the host's parser, so that Headwater words its own errors about bodies; behind it works as well.
  app.use('/geo', createExpressRouter(headwater.service));
  app.use(express.json());
  app.get('/hello', (_req, res) => void res.json({ hello: 'from the host' }));

  const server = createServer({ connectionsCheckingInterval: 5000 }, app).listen(port);
  guardServer(server);
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    // No further connection; Headwater ends its streams, and its answers under way are sent before its stores are closed.
    server.close();
    await headwater.close();
    server.closeIdleConnections();
    await closed;
  };
  return { server, close };
}
