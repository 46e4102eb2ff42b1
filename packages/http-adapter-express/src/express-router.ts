import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nativePaths, nodeRequest, type Service, type ServiceResponse } from '@headwater/http-service';
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';

/**
 * The service as an Express router; mount it with `app.use(router)` or `app.use('/prefix', router)`.
 * Works with or without `express.json()` in front. Paths that are not ours go on to the host.
 */
export function createExpressRouter(service: Service): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  const answer = async (req: Request, res: Response): Promise<void> => {
    const { url, ip: remoteAddress } = req;
    const parsedBody: unknown = req.body;
    await send(res, await service.execute(nodeRequest({ message: req, response: res, url, remoteAddress, parsedBody })));
  };
  for (const path of nativePaths(service)) router.all(path, answer);
  // Express itself fails on a malformed escape in one of our paths; the service words that like every other failure.
  const malformed: ErrorRequestHandler = (error: unknown, req, res, next) => {
    if (error instanceof URIError) answer(req, res).catch(next);
    else next(error);
  };
  router.use(malformed);
  return router;
}

async function send(res: Response, { status, headers, body }: ServiceResponse): Promise<void> {
  res.statusCode = status;
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
  if (!(body instanceof ReadableStream)) {
    res.end(body);
    return;
  }
  // A client that leaves ends the pipeline with an error that nobody needs to hear: the stream is cancelled by it.
  await pipeline(Readable.fromWeb(body), res).catch(() => res.destroy());
}
