import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';

/** Markup that every response must escape. */
export const MARKUP = '<hw-x onload=alert(1)>';
/** Header that no response may have. */
export const SMUGGLED = 'x-smuggled';

/** Texts that a careless parser would interpret. */
const TEXTS: readonly string[] = [
  "' OR '1'='1",
  "'; DROP TABLE headwater.runs; --",
  "x' UNION SELECT null, version() --",
  'a" OR ""="',
  'INTERSECTS(the_geom, POINT(0 0)) OR 1=1',
  "uid='12_1' OR uid LIKE '%'",
  '../../../../etc/passwd',
  '..\\..\\..\\windows\\win.ini',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'file:///etc/passwd',
  '/etc/passwd',
  '.',
  '..',
  MARKUP,
  `"><script>alert(1)</script>${MARKUP}`,
  `]]>${MARKUP}`,
  '${7*7}{{7*7}}#{7*7}',
  '$(id)`id`',
  `x\r\n${SMUGGLED}: 1\r\n\r\n`,
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e309',
  '-0',
  '0x10',
  '9'.repeat(40),
  '',
  ' ',
  '\u202Eevil',
  '\uFEFFx',
  'a\u0300'.repeat(200),
  'क्षेत्र',
  'a'.repeat(10_000),
  '=HYPERLINK("http://x","y")',
];

/** Hostile or random text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed()) },
);

/** JSON with invalid numbers, wrong types, deep nesting, or inherited member names. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  hostileText.map((text) => JSON.stringify(text)),
  fc.constantFrom(
    'null',
    'true',
    '-1',
    '1e400',
    '1.5',
    '9007199254740993',
    '[]',
    '{}',
    '[[[[{"a":[]}]]]]',
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    '["a","b"]',
    '{"$ne":null}',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"toString":1,"length":-1}',
    '"\\u0000"',
    '"\\ud800"',
  ),
  fc.json({ maxDepth: 3 }),
);

/** Invalid JSON. */
export const BROKEN_JSON: readonly Uint8Array[] = [
  '{',
  '{"a":NaN}',
  '{"a":Infinity}',
  "{'a':1}",
  '{"a":1}{"b":2}',
  '['.repeat(100_000),
  '\u0000',
].map((text) => Buffer.from(text));
export const NOT_UTF8 = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]);

/** A zip archive (PKWARE APPNOTE 4.3) whose entry unpacks to `bytes` bytes of value 0. */
export function zipBomb(name: string, bytes: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(bytes), { level: 9 });
  const entry = Buffer.from(name);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(bytes, 18);
  shared.writeUInt16LE(entry.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, entry, packed]);
  const directory = Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), shared, Buffer.alloc(14), entry]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, directory, Buffer.from('PK\u0005\u0006'), end]);
}
