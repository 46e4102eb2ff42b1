import { connect } from 'node:net';
const [port, kind, ms] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
const body = JSON.stringify({name:'abc', year:2020});
const req = kind === 'get' ? `GET /bench/?limit=5 HTTP/1.1\r\nHost: x\r\n\r\n` : `POST /bench/post/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
let n = 0; const end = Date.now() + ms;
await Promise.all(Array.from({length:32}, () => new Promise<void>((resolve) => {
  const s = connect(port); let need = -1, buf = '';
  s.on('data', (d) => { buf += d.toString('latin1'); for(;;){ if (need < 0) { const h = buf.indexOf('\r\n\r\n'); if (h<0) return; if(!buf.startsWith('HTTP/1.1 200')) {console.log(buf); process.exit(1);} need = h+4+Number(/content-length: (\d+)/i.exec(buf)![1]); } if (buf.length < need) return; buf = buf.slice(need); need=-1; n++; if (Date.now()>end) { s.destroy(); resolve(); return; } s.write(req);} });
  s.write(req);
})));
console.log(n);
