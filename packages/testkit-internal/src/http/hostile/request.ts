import { bodySpec, type Operation, type OperationExample } from '@headwater/http-service';
import fc from 'fast-check';
import { hostileBody, type SentBody } from './body.ts';
import { hostileText, MARKUP } from './values.ts';

/** A valid request in which hostile parts replace some parts. */
export interface HostileRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** True if every operation must reject the request. */
  readonly mustFail: boolean;
  /** Fields that the operation's schemas reject. */
  readonly refused: readonly string[];
  /** Fields that an error response may name. If `refused` is not empty, the response must name at least one. */
  readonly named: readonly string[];
  /**
   * Allowed statuses of 500 and above. The operation's examples have these statuses, because the sample service lacks a
   * part.
   */
  readonly lacks: readonly number[];
}

/** Text as sent, and the parsed values. `values` is undefined if every operation must reject the text. */
interface SentAddress {
  readonly text: string;
  readonly values: Readonly<Record<string, string>> | undefined;
}

const HEADERS: readonly (readonly [string, string])[] = [
  ['accept', 'text/html'],
  ['accept', `${'a/b,'.repeat(2000)}*/*`],
  ['accept-language', `hi;q=NaN,${'x-'.repeat(500)}`],
  ['accept-encoding', 'gzip;q=1e999, br;q=-1, *'],
  ['range', 'bytes=-0,9-1,99999999999999999999-'],
  ['range', 'bytes=0-0,1-1,2-2,3-3'],
  ['if-none-match', '"'.repeat(5000)],
  ['if-modified-since', 'yesterday'],
  ['origin', 'null'],
  ['origin', MARKUP],
  ['x-forwarded-for', "'; DROP TABLE x; --"],
  ['x-request-id', MARKUP],
  ['idempotency-key', "a'; --"],
  ['idempotency-key', 'k'.repeat(5000)],
  ['last-event-id', 'NaN'],
  ['host', 'evil.example'],
  ['content-type', 'application/json; charset=utf-7'],
  ['content-type', 'multipart/form-data'],
  ['content-type', `x/${'y'.repeat(4000)}`],
  ['content-encoding', 'gzip'],
];

/** Generates requests from an operation's examples. Hostile parts replace one part or all parts. */
export function hostileRequest(row: Operation): fc.Arbitrary<HostileRequest> {
  // Generators are built once, because building takes longer than a request.
  const requests = row.examples.map((good) => requestFrom(row, good));
  return fc.nat({ max: requests.length - 1 }).chain((index) => requests[index]!);
}

function requestFrom(row: Operation, good: OperationExample): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      path: spoilPath(row, good),
      query: spoilQuery(row, good),
      body: hostileBody(row, good),
      header: fc.option(fc.constantFrom(...HEADERS), { nil: undefined }),
      where: fc.constantFrom('path', 'query', 'body', 'header', 'all'),
    })
    .map(({ path, query, body, header, where }) => {
      const is = (part: string): boolean => where === part || where === 'all';
      return assembled(row, {
        path: is('path') ? path : goodPath(row, good),
        query: is('query') ? query : goodQuery(good),
        body: is('body') ? body : undefined,
        good,
        header: is('header') ? header : undefined,
      });
    });
}

interface Parts {
  readonly path: SentAddress;
  readonly query: SentAddress;
  readonly body: SentBody | undefined;
  readonly good: OperationExample;
  readonly header: readonly [string, string] | undefined;
}

function assembled(row: Operation, { path, query, body, good, header }: Parts): HostileRequest {
  const hasBody = row.method !== 'GET';
  const sent = hasBody
    ? (body ?? { bytes: Buffer.from(JSON.stringify(good.body ?? {})), type: 'application/json' })
    : undefined;
  const refused = [
    ...refusedBy(row.params, path.values),
    ...refusedBy(row.query, row.foldQueryCase === true ? folded(query.values) : query.values),
    ...(hasBody && body?.value !== undefined ? refusedBy(schemaOf(row), body.value) : []),
  ];
  return {
    method: row.method,
    target: query.text === '' ? path.text : `${path.text}?${query.text}`,
    headers: {
      ...good.headers,
      ...(sent === undefined ? {} : { 'content-type': sent.type }),
      ...(header === undefined ? {} : { [header[0]]: header[1] }),
    },
    body: sent?.bytes,
    mustFail: path.values === undefined || query.values === undefined || body?.mustFail === true,
    refused,
    named: [...refused, ...unstorable(body?.value)],
    lacks: row.examples.map(({ status: promised }) => promised).filter((promised) => promised >= 500),
  };
}

function schemaOf(row: Operation): Operation['query'] {
  if (row.body === undefined) return undefined;
  const spec = bodySpec(row.body);
  return spec.kind === 'fields' ? spec.schema : undefined;
}

/** Fields whose value contains a NUL or a lone surrogate. JSON writes both as escapes. */
function unstorable(value: unknown): readonly string[] {
  const fields = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return fields.filter(([, each]) => /\\u(?:0000|d[89a-f])/.test(jsonText(each))).map(([name]) => name);
}

// A value that is nested too deep for JSON.stringify counts as empty text.
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

function refusedBy(schema: Operation['query'], value: unknown): readonly string[] {
  if (schema === undefined || value === undefined) return [];
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).flatMap(({ path: [first] }) => (first === undefined ? [] : [String(first)]));
}

const folded = (values: SentAddress['values']): SentAddress['values'] =>
  values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));

const pathNames = ({ path }: Operation): readonly string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

function filled({ path }: Operation, encoded: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => encoded[name] ?? 'missing');
}

function goodPath(row: Operation, { params = {} }: OperationExample): SentAddress {
  return { text: filled(row, encodedOf(params)), values: params };
}

/** Escapes that are not valid text, and an overlong encoding of dots. */
const RAW = fc.constantFrom('%ff', '%c0%ae%c0%ae', '%', '%zz', '%ed%a0%80').map((raw) => ({ raw }));
/** Texts for paths, not empty. `.` and `..` are left out, because clients resolve them, possibly to a valid path. */
const PATH_TEXT = hostileText.filter((text) => !['', '.', '..'].includes(text)).map((text) => ({ text }));

function spoilPath(row: Operation, good: OperationExample): fc.Arbitrary<SentAddress> {
  const names = pathNames(row);
  if (names.length === 0) return fc.constant(goodPath(row, good));
  const value = fc.oneof({ weight: 5, arbitrary: PATH_TEXT }, { weight: 1, arbitrary: RAW });
  return fc.tuple(fc.constantFrom(...names), value).map(([name, spoilt]) => {
    const isText = 'text' in spoilt;
    const encoded = { ...encodedOf(good.params ?? {}), [name]: isText ? encodeURIComponent(spoilt.text) : spoilt.raw };
    return { text: filled(row, encoded), values: isText ? { ...good.params, [name]: spoilt.text } : undefined };
  });
}

const encodedOf = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]));

const queryText = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

function goodQuery({ query = {} }: OperationExample): SentAddress {
  return { text: queryText(Object.entries(query)), values: query };
}

function queryNames({ query, examples }: Operation): readonly string[] {
  const shape: unknown = query === undefined ? undefined : Reflect.get(query, 'shape');
  const declared = typeof shape === 'object' && shape !== null ? Object.keys(shape) : [];
  const shown = examples.flatMap((each) => Object.keys(each.query ?? {}));
  return [...new Set([...declared, ...shown, 'lang', 'a[$ne]', '__proto__', MARKUP])];
}

/** Replaces a query value by a hostile value, breaks its encoding, repeats it, or adds 500 parameters. */
function spoilQuery(row: Operation, good: OperationExample): fc.Arbitrary<SentAddress> {
  const valid = Object.entries(good.query ?? {});
  const name = fc.constantFrom(...queryNames(row));
  const replaced = fc.tuple(name, hostileText).map(([key, value]): SentAddress => {
    const pairs = [...valid.filter(([each]) => each !== key), [key, value] as const];
    const isStorable = !`${key}${value}`.includes('\u0000');
    return { text: queryText(pairs), values: isStorable ? fromPairs(pairs) : undefined };
  });
  const broken = fc.tuple(name, fc.constantFrom('%ff', '%00', '%', '%c3%28')).map(([key, raw]): SentAddress => ({
    text: `${queryText(valid.filter(([each]) => each !== key))}&${encodeURIComponent(key)}=${raw}`,
    values: undefined,
  }));
  const twice = name.map((key): SentAddress => ({
    text: queryText([...valid.filter(([each]) => each !== key), [key, '1'], [key, '2']]),
    values: undefined,
  }));
  const many = fc.constant<SentAddress>({
    text: queryText([...valid, ...Array.from({ length: 500 }, (_, index): [string, string] => [`n${index}`, 'x'])]),
    values: Object.fromEntries(valid),
  });
  return fc.oneof(
    { weight: 6, arbitrary: replaced },
    { weight: 2, arbitrary: broken },
    { weight: 2, arbitrary: twice },
    many,
  );
}

function fromPairs(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(pairs);
}
