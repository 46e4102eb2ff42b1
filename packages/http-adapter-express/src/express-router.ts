import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nodeRequest, type Service, type ServiceResponse } from '@headwater/http-service';
import express, { type RequestHandler, type Response, type Router } from 'express';

type Exchange = Parameters<RequestHandler>;

/**
 * Creates an Express router for the service; mount it with `app.use(router)` or `app.use('/prefix', router)`. The router works with or without
 * `express.json()` and `express.urlencoded()` before it. If the host has already parsed the body, operations that read a raw or multipart body
 * respond with 500, and log the reason. Requests to paths that the service does not have are passed on to the host. For logs and metrics of the
 * host, `req.route.path` is the pattern of the request's path, and `res.locals.operationId` is the id of the operation.
 */
export function createExpressRouter(service: Service): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  // One handler serves all paths. The service finds the operation with one look-up, but Express would try separate
  // routes one by one.
  router.use((...exchange: Exchange): void => {
    const [{ url }, , next] = exchange;
    if (service.owns(url)) void respond(service, named(service, exchange));
    else next();
  });
  return router;
}

// Sets `req.route.path` and the id of the operation in `res.locals`, because hosts label logs and metrics with these
// values.
function named(service: Service, exchange: Exchange): Exchange {
  const [req, res] = exchange;
  const found = service.operation(req.method, req.url);
  req.route = found && { path: found.path };
  if (found !== undefined) res.locals['operationId'] = found.id;
  return exchange;
}

// The service converts its own errors to responses. Any other error, for example because Node refuses a header, is passed
// on to the host.
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
  // `pipeline` rejects if the body fails, or if the client disconnects (then it also cancels the body). Both errors are ignored.
  await pipeline(Readable.fromWeb(body), res).catch(() => res.destroy());
}
