import { bodySpec, type Operation, type OperationExample } from '@headwater/http-service';
import fc from 'fast-check';
import { BROKEN_JSON, hostileJson, hostileText, MARKUP, NOT_UTF8, zipBomb } from './values.ts';

/** Body of a request as sent. */
export interface SentBody {
  readonly bytes: Uint8Array;
  readonly type: string;
  /** Value that the operation parses, if known. */
  readonly value?: unknown;
  readonly mustFail: boolean;
}

const JSON_TYPE = 'application/json';

/** Hostile bodies. The service must refuse a body with `mustFail`. */
export function hostileBody(row: Operation, good: OperationExample): fc.Arbitrary<SentBody> {
  const spec = row.body === undefined ? undefined : bodySpec(row.body);
  const isRead = spec !== undefined;
  const broken = fc
    .constantFrom(...BROKEN_JSON, NOT_UTF8)
    .map((bytes): SentBody => ({ bytes, type: JSON_TYPE, mustFail: isRead }));
  const parts = hostileParts().map((sent) => ({ ...sent, mustFail: sent.mustFail && isRead }));
  if (spec?.kind === 'parts') return fc.oneof({ weight: 5, arbitrary: parts }, broken);
  return fc.oneof({ weight: 6, arbitrary: hostileFields(row, good) }, { weight: 2, arbitrary: broken }, parts);
}

function hostileFields({ examples }: Operation, { body }: OperationExample): fc.Arbitrary<SentBody> {
  const valid = Object.entries(isRecord(body) ? body : {});
  const names = examples.flatMap((each) => (isRecord(each.body) ? Object.keys(each.body) : []));
  const name = fc.constantFrom(...new Set([...names, '__proto__', 'constructor', MARKUP]));
  const withOne = (key: string, text: string): SentBody => {
    const pairs = [
      ...valid.filter(([each]) => each !== key).map(([each, value]) => [each, JSON.stringify(value)]),
      [key, text],
    ];
    return jsonBody(`{${pairs.map(([each = '', value = '']) => `${JSON.stringify(each)}:${value}`).join(',')}}`);
  };
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(name, hostileJson).map(([key, text]) => withOne(key, text)) },
    { weight: 1, arbitrary: hostileJson.map(jsonBody) },
  );
}

function jsonBody(text: string): SentBody {
  const value: unknown = JSON.parse(text);
  return { bytes: Buffer.from(text), type: JSON_TYPE, value, mustFail: false };
}

const FILES: readonly (readonly [string, Uint8Array])[] = [
  ['bomb.zip', zipBomb('data.shp', 64 * 1024 * 1024)],
  ['paths.zip', zipBomb('../../../../etc/cron.d/x', 10)],
  ['cut.zip', zipBomb('data.shp', 1000).subarray(0, 40)],
  ['data.gpkg', Buffer.from('SQLite format 3\u0000and no more')],
  [
    'data.geojson',
    Buffer.from(
      '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[NaN,1e999]}}]}',
    ),
  ],
  ['data.tif', Buffer.from('II*\u0000\u0008\u0000\u0000\u0000')],
  ['empty', new Uint8Array()],
];

/** Multipart bodies with files of a wrong name or content. Some bodies are malformed. */
function hostileParts(): fc.Arbitrary<SentBody> {
  return fc
    .record({
      name: fc.oneof(fc.constantFrom('file', 'files', 'name', '__proto__'), hostileText),
      filename: hostileText,
      file: fc.constantFrom(...FILES),
      fault: fc.constantFrom('none', 'none', 'boundary', 'end', 'no boundary'),
    })
    .map(({ name, filename, file: [own, bytes], fault }) => {
      const quoted = (text: string): string => text.replaceAll('"', '%22').replaceAll(/[\r\n]/g, '%0A');
      const head = `--edge\r\nContent-Disposition: form-data; name="${quoted(name)}"; filename="${quoted(filename === '' ? own : filename)}"\r\n\r\n`;
      const end = fault === 'end' ? '' : '\r\n--edge--\r\n';
      const boundary = fault === 'no boundary' ? '' : `; boundary=${fault === 'boundary' ? 'other' : 'edge'}`;
      return {
        bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(end)]),
        type: `multipart/form-data${boundary}`,
        mustFail: fault !== 'none',
      };
    });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
