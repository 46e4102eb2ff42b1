import { createHeadwater, toFetchHandler, type Operation } from '@headwater/http-service';
import { headwaterPlugin } from '@headwater/http-adapter-fastify';
import { createExpressRouter } from '@headwater/http-adapter-express';
import fastify from 'fastify'; import express from 'express'; import { z } from 'zod'; import { createServer } from 'node:http';
const rows = Array.from({length:40},(_,i)=>({id:i,name:`row ${i}`,lat:20+i/10,lon:80+i/10,uid:`12_${i}`,area:i*1.5}));
const Q = z.object({ limit: z.string().regex(/^\d+$/).transform(Number).pipe(z.int()).optional() });
const B = z.object({ name: z.string(), year: z.int() });
const ops: Operation[] = [
 { id:'b', method:'GET', path:'/bench/', auth:'public', tag:'system', summary:'b', errors:[], examples:[], query: Q, responses:{200:{description:'',schema:z.unknown()}}, handler: () => ({status:200, json:{rows}}) },
 { id:'bp', method:'POST', path:'/bench/post/', auth:'public', tag:'system', summary:'b', errors:[], examples:[], body: B, responses:{200:{description:'',schema:z.unknown()}}, handler: () => ({status:200, json:{rows}}) },
];
const hw = createHeadwater({ baseUrl:'http://localhost', secret: crypto.randomUUID(), operations: ops });
const kind = process.argv[2];
const port = Number(process.argv[3]);
if (kind === 'ours-fastify') { const app = fastify(); await app.register(headwaterPlugin, {service: hw.service}); await app.listen({port}); }
if (kind === 'bare-fastify') { const app = fastify(); app.get('/bench/', (req) => { Q.parse(req.query); return {rows}; }); app.post('/bench/post/', (req) => { B.parse(req.body); return {rows}; }); await app.listen({port}); }
if (kind === 'ours-express') { const app = express(); app.use(createExpressRouter(hw.service)); createServer(app).listen(port); }
if (kind === 'bare-express') { const app = express(); app.get('/bench/', (req,res) => { Q.parse(req.query); res.json({rows}); }); app.post('/bench/post/', express.json(), (req,res) => { B.parse(req.body); res.json({rows}); }); createServer(app).listen(port); }
const H = {'content-type':'application/json; charset=utf-8', vary:'Origin', 'x-request-id':'4238b58a-fbca-4133-9a4c-578d61cd1dab','x-content-type-options':'nosniff'};
if (kind === 'v1') { const app = fastify(); app.all('/bench/', async (req, reply) => { Q.parse(req.query); return reply.send(JSON.stringify({rows})); }); await app.listen({port}); }
if (kind === 'v2') { const app = fastify(); app.all('/bench/', async (req, reply) => { Q.parse(req.query); reply.code(200); for (const n in H) reply.header(n, H[n]); return reply.send(JSON.stringify({rows})); }); await app.listen({port}); }
if (kind === 'v3') { const app = fastify(); app.all('/bench/', async (req, reply) => { Q.parse(req.query); const r = await hw.service.execute({method:'GET', url:req.url, headers: req.headers, body:{kind:'none'}, remoteAddress: req.ip, get signal(){return null}}); return reply.header('content-type','application/json; charset=utf-8').send(r.body); }); await app.listen({port}); }
if (kind === 'v4') { const app = fastify(); app.all('/bench/', async (req, reply) => { Q.parse(req.query); await null; return reply.send(JSON.stringify({rows})); }); await app.listen({port}); }
if (kind === 'v5') { const app = fastify(); app.all('/bench/', async (req, reply) => { Q.parse(req.query); await null; await null; await null; await null;await null; await null; return reply.send(JSON.stringify({rows})); }); await app.listen({port}); }
if (kind === 'v6') { const app = fastify(); app.all('/bench/', async (req, reply) => { Q.parse(req.query); await null; return reply.header('content-type','application/json; charset=utf-8').send(JSON.stringify({rows})); }); await app.listen({port}); }
if (kind === 'v7') { const app = fastify(); app.all('/bench/', async (req, reply) => { Q.parse(req.query); crypto.randomUUID(); performance.now(); return reply.header('content-type','application/json; charset=utf-8').send(JSON.stringify({rows})); }); await app.listen({port}); }
const SIG = new AbortController().signal;
if (kind === 'v8') { const app = fastify(); app.all('/bench/', async (req, reply) => { const r = await hw.service.execute({method:'GET', url:'/bench/?limit=5', headers: {host:'x'}, body:{kind:'none'}, remoteAddress: '1', signal: SIG}); return reply.header('content-type','application/json; charset=utf-8').send(r.body); }); await app.listen({port}); }
if (kind === 'v9') { const app = fastify(); app.all('/bench/', async (req, reply) => { const r = await hw.service.execute({method:'GET', url:'/api/v1/get_states/', headers: {host:'x'}, body:{kind:'none'}, remoteAddress: '1', signal: SIG}); return reply.header('content-type','application/json; charset=utf-8').send(JSON.stringify({rows})); }); await app.listen({port}); }
let base = process.cpuUsage();
process.on('SIGUSR2', () => { base = process.cpuUsage(); });
process.on('SIGTERM', () => { const u = process.cpuUsage(base); console.error(kind, "cpu ms", Math.round((u.user + u.system)/1000)); setTimeout(()=>process.exit(0),10); });
