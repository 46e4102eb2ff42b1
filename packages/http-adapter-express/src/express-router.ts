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
    const [req, res, next] = exchange;
    const { method, url } = req;
    if (!service.owns(url)) {
      next();
      return;
    }
    const operation = service.operation(method, url);
    req.route = operation && { path: operation.path };
    if (operation !== undefined) res.locals['operationId'] = operation.id;
    respond(service, exchange);
  });
  return router;
}

// Responds at once if the service has answered at once. Unexpected errors are passed to the host, for example if Node
// refuses a header.
function respond(service: Service, [req, res, next]: Exchange): void {
  const onError = (error: unknown): void => next(error);
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
    const answered = service.execute(request);
    if (answered instanceof Promise) answered.then((response) => send(res, response)).catch(onError);
    else send(res, answered)?.catch(onError);
  } catch (error) {
    onError(error);
  }
}

// Sends a response. Returns a promise only for a stream.
function send(res: Response, { status, headers, body }: ServiceResponse): Promise<void> | undefined {
  res.statusCode = status;
  if (body instanceof ReadableStream) return sendStream(res, headers, body);
  setHeaders(res, headers);
  res.end(body);
  return undefined;
}

async function sendStream(res: Response, headers: ServiceResponse['headers'], body: ReadableStream): Promise<void> {
  try {
    setHeaders(res, headers);
  } catch (error) {
    await body.cancel(error);
    throw error;
  }
  await pipeline(Readable.fromWeb(body), res).catch(() => res.destroy());
}

function setHeaders(res: Response, headers: ServiceResponse['headers']): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}
