// Serves the folder in the argument with @fastify/static. Prints the port.
import type { AddressInfo } from 'node:net';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';

const [root = ''] = process.argv.slice(2);
const app = fastify();
await app.register(fastifyStatic, { root });
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify({ port: (app.server.address() as AddressInfo).port })}\n`);
