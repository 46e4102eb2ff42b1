import { createHeadwater, type Operation } from '@headwater/http-service';
import { z } from 'zod';
const rows = Array.from({length:40},(_,i)=>({id:i,name:`row ${i}`,lat:20+i/10,lon:80+i/10,uid:`12_${i}`,area:i*1.5}));
const Q = z.object({ limit: z.string().regex(/^\d+$/).transform(Number).pipe(z.int()).optional() });
const ops: Operation[] = [
 { id:'b', method:'GET', path:'/bench/', auth:'public', tag:'system', summary:'b', errors:[], examples:[], query: Q, responses:{200:{description:'',schema:z.unknown()}}, handler: () => ({status:200, json:{rows}}) },
 { id:'b0', method:'GET', path:'/bench0/', auth:'public', tag:'system', summary:'b', errors:[], examples:[], responses:{200:{description:'',schema:z.unknown()}}, handler: () => ({status:200, json:{}}) },
];
const hw = createHeadwater({ baseUrl:'http://localhost', secret: crypto.randomUUID(), operations: ops });
const req = (url: string) => ({ method:'GET', url, headers: {host:'x'}, body: {kind:'none'} as const, remoteAddress:'1', signal: new AbortController().signal });
const time = async (name: string, f: () => unknown, n=100000) => { for (let i=0;i<20000;i++) await f(); const c=process.cpuUsage(); for (let i=0;i<n;i++) await f(); const d=process.cpuUsage(c); console.log(name, ((d.user+d.system)/n).toFixed(2),'us'); };
const r1 = req('/bench/?limit=5'), r0 = req('/bench0/');
for (let k=0;k<2;k++) {
await time('execute 40 rows', () => hw.service.execute(r1));
await time('execute empty', () => hw.service.execute(r0));
await time('stringify', () => JSON.stringify({rows}));
await time('zod', () => Q.parse({limit:'5'}));
await time('uuid', () => crypto.randomUUID());
}
