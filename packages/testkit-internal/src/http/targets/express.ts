import { createExpressRouter } from '@headwater/http-adapter-express';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { listening } from '@headwater/testkit/http';
import { HOST_TEXT, type HttpTarget } from './target.ts';

/** Express host with own routes, 404 and error handler. */
export const expressTarget: HttpTarget = {
  name: 'express',
  skips: {},
  async start({ mounts, parseBefore = false, trustsProxy = false }) {
    const app = express();
    if (trustsProxy) app.set('trust proxy', '127.0.0.1');
    if (parseBefore) app.use(express.json(), express.urlencoded({ extended: false }), multipartParser);
    app.get('/host', (_req, res) => void res.json({ host: true }));
    app.post('/host/echo', express.json(), (req, res) => void res.json({ echo: req.body as unknown }));
    app.get('/host/throws', () => {
      throw new Error('host route failed');
    });
    for (const { service, prefix } of mounts) app.use(prefix === '' ? '/' : prefix, createExpressRouter(service));
    app.use((_req, res) => void res.status(418).send(HOST_TEXT.notFound));
    const failure = (...[, , res]: Parameters<ErrorRequestHandler>): void =>
      void res.status(500).send(HOST_TEXT.failure);
    // Express recognises an error handler by its four parameters.
    app.use(Object.defineProperty(failure, 'length', { value: 4 }));
    return listening(app);
  },
};

// Reads a multipart body and sets `req.body`, as multer does, but always to the same field.
const multipartParser: RequestHandler = (req, _res, next) => {
  if (req.is('multipart/form-data') === false) return next();
  req.on('end', () => {
    req.body = { name: 'a field' };
    next();
  });
  req.resume();
};
