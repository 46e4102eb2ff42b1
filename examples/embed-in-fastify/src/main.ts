import { startHost } from './server.ts';

const PORT = 3000;
// A new key at each start invalidates all earlier sessions. A real host stores its key.
const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');

await startHost({ port: PORT, publicUrl: `http://localhost:${PORT}`, secret });
console.log(`the host's own route: http://localhost:${PORT}/hello, Headwater: http://localhost:${PORT}/geo/`);
