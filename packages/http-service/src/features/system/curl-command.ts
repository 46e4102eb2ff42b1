import { isObject } from '@headwater/core/values';
import { policiesOf } from '@headwater/identity';
import type { Operation, OperationExample } from '../../rows/operation.ts';
import { AS_JSON, CONTINUED, shellWord, WITH_TOKEN } from '../../pages/shell-word.ts';
import { paths } from '../../wire/paths.ts';
import type { KnownNames } from '../../pages/known-names.ts';

/** Address of the service, and the names that replace names in the examples. */
export interface LineFacts {
  readonly baseUrl: string;
  readonly known: KnownNames;
}

/** Start of each command. Its options hide the progress bar, show errors, and print the status at the end. */
const CURL = `curl -sS -w '\\n%{http_code}\\n'`;

/** Shell command that creates an API key with the token of `signInLines`, and stores the key in the variable `KEY`. */
export function keyLine(baseUrl: string): string {
  return `KEY=$(curl -sS ${shellWord(baseUrl + paths.changeApiKeys)} ${WITH_TOKEN} ${AS_JSON} -d '{}' |${CONTINUED}sed -n 's/.*"api_key": *"\\([^"]*\\)".*/\\1/p')`;
}

/** Shell command that sends an example to this service. */
export function curlCommand(row: Operation, example: OperationExample, { baseUrl, known }: LineFacts): string {
  const { method, auth } = row;
  const body = row.body === undefined ? undefined : bodyOf(example.body ?? {}, known);
  const parts = [
    method === (body === undefined ? 'GET' : 'POST') ? '' : `-X ${method}`,
    credentialsOf(auth),
    ...Object.entries(example.headers ?? {}).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    body === undefined ? '' : `${AS_JSON} -d ${withVariables(shellWord(JSON.stringify(body)))}`,
    savedAs(row, example, known),
    shellWord(baseUrl + pathOf(row, example, known)),
  ].filter((part) => part !== '');
  return [CURL, ...parts].join(CONTINUED);
}

/** Credentials for the first policy of an operation: a token, or an API key. */
function credentialsOf(auth: Operation['auth']): string {
  const place = policiesOf(auth)[0]?.places.find((each) => each.in === 'header');
  if (place === undefined) return '';
  return place.name === 'authorization' ? WITH_TOKEN : `-H "${place.name}: $KEY"`;
}

function pathOf(row: Operation, { params = {}, query = {} }: OperationExample, known: KnownNames): string {
  const named = (name: string, value: string): string => known.values.get(`${name}=${value}`) ?? value;
  const own = { ...params, ...fileHere(params, known) };
  const path = row.path.replace(/:(\w+)/g, (whole, name: string) =>
    encodeURIComponent(named(name, own[name] ?? whole)),
  );
  const search = Object.entries(query).map(([name, value]) => [name, named(name, value)]);
  return search.length === 0 ? path : `${path}?${new URLSearchParams(Object.fromEntries(search)).toString()}`;
}

function fileHere({ run, token, name }: Params, { files }: KnownNames): Params {
  const here = files?.get(`${run}/${token}/${name}`)?.split('/');
  return here === undefined ? {} : { run: here[0] ?? '', token: here[1] ?? '', name: here[2] ?? '' };
}

type Params = Readonly<Record<string, string | undefined>>;

function bodyOf(body: unknown, known: KnownNames): unknown {
  if (!isObject(body)) return body;
  const members = Object.entries(body).map(([name, value]) => {
    const example = `${name}=${String(value)}`;
    const named = VARIABLES.get(example) ?? known.values.get(example);
    return [name, named ?? (Object.hasOwn(known.body, name) ? known.body[name] : value)] as const;
  });
  return Object.fromEntries(members);
}

/** Shell variables that replace values of the examples. The first commands of the page set these variables. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['username=test_user_0042', '$NAME'],
  ['password=example-password', '$PASSWORD'],
]);

/** Moves variables out of the single quotes, because the shell expands variables only outside of single quotes. */
function withVariables(text: string): string {
  return text.replaceAll(/"\$(NAME|PASSWORD)"/g, `"'"$$$1"'"`);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/tiff': 'tif',
  'application/geo+json': 'geojson',
  'text/html': 'html',
};

const JSON_TYPE = /[/+]json$/;
const PARTIAL = 206;

/**
 * Option that saves a response, or '' to print it. Files and pages are saved, because they are unreadable in a
 * terminal. Errors are printed.
 */
function savedAs(row: Operation, { status, params = {} }: OperationExample, known: KnownNames): string {
  const spec = row.responses[status];
  const types = (spec?.media ?? []).map((type) => type.replace(/;.*$/, ''));
  const [media = ''] = types;
  // A response with a schema is printed if its first media type is JSON, or if none of its media types is JSON.
  const isJsonFirst = !types.some((type) => JSON_TYPE.test(type)) || JSON_TYPE.test(media);
  if (status >= 300 || (spec?.schema !== undefined && isJsonFirst)) return '';
  const extension = EXTENSIONS[media];
  if (extension === undefined) return '';
  const name = fileHere(params, known)['name'] ?? params['name'] ?? `${row.id}.${extension}`;
  // A range must not overwrite the whole file of another command.
  return `-o ${shellWord(status === PARTIAL ? `${name}.part` : name)}`;
}
