import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nodeRequest, type Service, type ServiceResponse } from '@headwater/http-service';
import express, { type RequestHandler, type Response, type Router } from 'express';

type Exchange = Parameters<RequestHandler>;

/**
 * Creates an Express router for the service, to mount with `app.use`. Requests for paths that are not the service's are
 * passed on to the host. Sets `req.route.path` and `res.locals.operationId` for logs and metrics of the host.
 */
export function createExpressRouter(service: Service): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  // One handler for all paths, because Express would try separate routes one by one.
  router.use((...exchange: Exchange): void => {
    const [{ url }, , next] = exchange;
    if (service.owns(url)) void respond(service, named(service, exchange));
    else next();
  });
  return router;
}

function named(service: Service, exchange: Exchange): Exchange {
  const [req, res] = exchange;
  const found = service.operation(req.method, req.url);
  req.route = found && { path: found.path };
  if (found !== undefined) res.locals['operationId'] = found.id;
  return exchange;
}

// Responds to a request. Unexpected errors are passed to the host, for example if Node refuses a header.
async function respond(service: Service, [req, res, next]: Exchange): Promise<void> {
  try {
    const { url, ip: remoteAddress, ips } = req;
    const parsedBody: unknown = req.body;
    const request = nodeRequest({
      message: req,
      response: res,
      url,
      remoteAddress,
      trustedHops: ips.length,
      parsedBody,
    });
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
  await pipeline(Readable.fromWeb(body), res).catch(() => res.destroy());
}
