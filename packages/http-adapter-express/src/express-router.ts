import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nodeRequest, type Service, type ServiceResponse } from '@headwater/http-service';
import express, { type RequestHandler, type Response, type Router } from 'express';

type Exchange = Parameters<RequestHandler>;

/**
 * The service as an Express router; mount it with `app.use(router)` or `app.use('/prefix', router)`.
 * Works with or without `express.json()` and `express.urlencoded()` in front; rows of raw bytes and of multipart bodies must see
 * theirs unparsed, else they answer 500 and the log says why. Paths that are not ours go on to the host.
 */
export function createExpressRouter(service: Service): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  // Asked of the service by one look: Express tries its routes one by one, as an expression of all paths tries its branches.
  router.use((...exchange: Exchange): void => {
    const [{ url }, , next] = exchange;
    if (service.owns(url)) void respond(service, exchange);
    else next();
  });
  return router;
}

// The service turns its failures into answers; what still fails here (a header that Node refuses) is the host's to hear.
async function respond(service: Service, [req, res, next]: Exchange): Promise<void> {
  try {
    const { url, ip: remoteAddress } = req;
    const parsedBody: unknown = req.body;
    const request = nodeRequest({ message: req, response: res, url, remoteAddress, parsedBody });
    await send(res, await service.execute(request));
  } catch (error) {
    next(error);
  }
}

async function send(res: Response, { status, headers, body }: ServiceResponse): Promise<void> {
  res.statusCode = status;
  try {
    for (const name in headers) res.setHeader(name, headers[name] ?? '');
  } catch (error) {
    if (body instanceof ReadableStream) await body.cancel(error);
    throw error;
  }
  if (!(body instanceof ReadableStream)) {
    res.end(body);
    return;
  }
  // A client that leaves ends the pipeline with an error that nobody needs to hear: the stream is cancelled by it.
  await pipeline(Readable.fromWeb(body), res).catch(() => res.destroy());
}
