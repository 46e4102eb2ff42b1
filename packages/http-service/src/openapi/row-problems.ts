import { messageOf } from '@headwater/core';
import { policies, policiesOf, type Policy } from '@headwater/identity';
import type { Operation } from '../rows/operation.ts';
import { bodySpec } from '../seam/row-body.ts';
import { STATUS_OF } from '../wire/status.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const OURS: ReadonlySet<unknown> = new Set(Object.values(policies));
const CORS: ReadonlySet<string> = new Set(['any', 'configured', 'none']);
const PATH = /^\/(?:(?::[A-Za-z_]\w*|[^/:?#*\s]+)\/)*(?::[A-Za-z_]\w*|[^/:?#*\s]+)?$/;
const ID = /^[A-Za-z]\w*(?:-\w+)*$/;

/** Problems of one operation, each with its remedy. The problems of its schemas are found later. */
export function rowProblems(row: Operation): readonly string[] {
  return [
    ...wordProblems(row),
    ...pathProblems(row),
    ...bodyProblems(row),
    ...exampleProblems(row),
    ...authProblems(row),
  ];
}

function* wordProblems({ id, method, summary, tag, examples, errors, cors }: Operation): Generator<string> {
  const unknown = errors.filter((code) => !Object.hasOwn(STATUS_OF, code));
  if (unknown.length > 0) yield `errors ${unknown.join(', ')} are not error codes; use the codes of @headwater/core`;
  if (typeof cors === 'string' && !CORS.has(cors))
    yield `cors ${cors} is not a rule; use any, configured, none or a function`;
  if (!ID.test(id)) yield `id "${id}" is not a valid id; use camelCase letters and digits`;
  if (!METHODS.has(method))
    yield `method ${method} cannot be used in a row; HEAD is derived from GET, and OPTIONS from the path`;
  if (summary === '') yield 'has no summary; write a sentence';
  if (tag.trim() === '') yield 'has no tag; set the name of its group in the documentation';
  if (examples.length === 0) yield 'has no example; add a request that works';
}

function* pathProblems({ path, params }: Operation): Generator<string> {
  if (!PATH.test(path))
    yield `path "${path}" cannot be routed; write the path below the mount point, such as /area/:id/`;
  if (path.includes(':') !== (params !== undefined))
    yield 'the parameters of path and `params` differ; make them equal';
}

function* bodyProblems({ method, body }: Operation): Generator<string> {
  if (body === undefined) return;
  if (method === 'GET') yield 'a GET has no body; use query';
  const spec = bodySpec(body);
  if (spec.kind === 'fields' && spec.accepts.length === 0)
    yield 'the list `accepts` of its body is empty; add json, form or multipart';
  const limits = spec.kind === 'parts' ? Object.values(spec.limits) : [spec.limit ?? 1];
  if (limits.some((limit) => !Number.isSafeInteger(limit) || limit < 1))
    yield 'a limit of its body is not a number of bytes; use a whole number above 0';
}

function* exampleProblems({ body, examples }: Operation): Generator<string> {
  const spec = body === undefined ? undefined : bodySpec(body);
  if (spec?.kind !== 'fields') return;
  for (const { name, status, body: sent } of examples) {
    const { error } = status < 400 && sent !== undefined ? spec.schema.safeParse(sent) : {};
    if (error === undefined) continue;
    const why = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    yield `example ${name} is refused by the row's own body (${why}); correct one of them`;
  }
}

function* authProblems({ auth, body }: Operation): Generator<string> {
  const policies = policiesOrProblem(auth);
  if (typeof policies === 'string') {
    yield policies;
    return;
  }
  if (policies.length === 0) yield 'has no policy; name one, or `public` for anonymous access';
  const open = policies.findIndex(({ places }) => places.length === 0);
  if (open >= 0 && open < policies.length - 1)
    yield `policy ${policies[open]?.name} accepts every request; put it last`;
  const inBody = policies.some(({ places }) => places.some((place) => place.in === 'body'));
  const isFields = body !== undefined && bodySpec(body).kind === 'fields';
  if (inBody && !isFields) yield 'a policy reads the body, but the row has no body of fields; add one';
  for (const { name, places, challenge = '', refusesFirst } of policies) {
    if (!/^[\t\x20-\x7e]*$/.test(challenge))
      yield `policy ${name}: its challenge has characters that a header cannot have`;
    if (refusesFirst !== 'credentials' && refusesFirst !== 'method')
      yield `policy ${name}: refusesFirst must be credentials or method`;
    if (places.some((place) => !['header', 'cookie', 'body'].includes(place.in)))
      yield `policy ${name}: credentials must be in a header, a cookie or the body`;
    const wrong = places.find((place) => place.in === 'header' && place.name !== place.name.toLowerCase());
    if (wrong !== undefined) yield `policy ${name}: write header ${wrong.name} in lower case`;
  }
}

function policiesOrProblem(auth: Operation['auth']): readonly Policy[] | string {
  try {
    return policiesOf(auth);
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * Finds different policies with the same name, of which OpenAPI can show only one. Policies of this service may
 * share a name.
 */
export function policyProblems(operations: readonly Operation[]): readonly string[] {
  const named = new Set(operations.flatMap(({ auth }) => policiesOrNone(auth)));
  const byName = Map.groupBy(named, ({ name }) => name);
  return [...byName]
    .filter(([, values]) => values.length > 1 && values.some((value) => !OURS.has(value)))
    .map(([name]) => `two different policies are named ${name}; rename one`);
}

function policiesOrNone(auth: Operation['auth']): readonly Policy[] {
  const policies = policiesOrProblem(auth);
  return typeof policies === 'string' ? [] : policies;
}
