// HTTP server selected by the argument: our service in a framework, or the framework alone. Prints the port.
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExpressRouter } from '@headwater/http-adapter-express';
import { headwaterPlugin } from '@headwater/http-adapter-fastify';
import express from 'express';
import type { RequestHandler } from 'express';
import fastify from 'fastify';
import type { onRequestAsyncHookHandler } from 'fastify';
import { createGuard } from './guard.ts';
import { benchService } from './ours.ts';
import { createKeyGuard, PlaceQuery, preparedAnswers } from './public-data.ts';
import { bearerHeaders, extraHeaders, listing, ListQuery, PATHS, started, StartBody } from './shared.ts';

const SERVERS: Readonly<Record<string, () => Promise<number>>> = {
  'fastify-ours': async () => {
    const app = fastify();
    await app.register(headwaterPlugin, { service: await benchService() });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return (app.server.address() as AddressInfo).port;
  },
  'fastify-bare': async () => {
    const app = fastify();
    const guard = await createGuard();
    const onRequest: onRequestAsyncHookHandler = async (request, reply) => {
      if (!(await guard(request.headers.authorization))) await reply.code(401).send({ detail: 'not authenticated' });
    };
    for (const [{ list, start }, options, headers] of [
      [PATHS.public, {}, extraHeaders],
      [PATHS.bearer, { onRequest }, bearerHeaders],
    ] as const) {
      app.get(list, options, (request, reply) => {
        const { success, data, error } = ListQuery.safeParse(request.query);
        return success
          ? reply.headers(headers(request.raw)).send(listing(data))
          : reply.code(400).send({ detail: error.issues });
      });
      app.post(start, options, (request, reply) => {
        const { success, data, error } = StartBody.safeParse(request.body);
        return success
          ? reply.code(202).headers(headers(request.raw)).send(started(data))
          : reply.code(400).send({ detail: error.issues });
      });
    }
    const isKey = await createKeyGuard();
    for (const { path, headers, bytes } of await preparedAnswers()) {
      app.get(path, async (request, reply) => {
        if (!(await isKey(request.headers['x-api-key']))) return reply.code(401).send({ detail: 'no key' });
        const { success, error } = PlaceQuery.safeParse(request.query);
        return success ? reply.headers(headers).send(bytes) : reply.code(400).send({ detail: error.issues });
      });
    }
    await app.listen({ port: 0, host: '127.0.0.1' });
    return (app.server.address() as AddressInfo).port;
  },
  'express-ours': async () => listen(express().use(createExpressRouter(await benchService()))),
  'express-bare': async () => {
    const app = express();
    const guard = await createGuard();
    const protect: RequestHandler = async (request, response, next) => {
      if (await guard(request.headers.authorization)) next();
      else response.status(401).json({ detail: 'not authenticated' });
    };
    for (const [{ list, start }, before, headers] of [
      [PATHS.public, [], extraHeaders],
      [PATHS.bearer, [protect], bearerHeaders],
    ] as const) {
      app.get(list, ...before, (request, response) => {
        const { success, data, error } = ListQuery.safeParse(request.query);
        if (success) response.set(headers(request)).json(listing(data));
        else response.status(400).json({ detail: error.issues });
      });
      app.post(start, ...before, express.json(), (request, response) => {
        const { success, data, error } = StartBody.safeParse(request.body);
        if (success) response.status(202).set(headers(request)).json(started(data));
        else response.status(400).json({ detail: error.issues });
      });
    }
    const isKey = await createKeyGuard();
    const protectByKey: RequestHandler = async (request, response, next) => {
      if (await isKey(request.headers['x-api-key'])) next();
      else response.status(401).json({ detail: 'no key' });
    };
    const before: readonly RequestHandler[] = [protectByKey];
    for (const { path, headers, bytes } of await preparedAnswers()) {
      app.get(path, ...before, (request, response) => {
        const { success, error } = PlaceQuery.safeParse(request.query);
        if (success) response.set(headers).send(bytes);
        else response.status(400).json({ detail: error.issues });
      });
    }
    return listen(app);
  },
};

function listen(app: RequestListener): Promise<number> {
  const server = createServer(app);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

const [kind = ''] = process.argv.slice(2);
const start = SERVERS[kind];
if (start === undefined) throw new Error(`unknown server ${kind}; use ${Object.keys(SERVERS).join(', ')}`);
process.stdout.write(`${JSON.stringify({ port: await start() })}\n`);
