import { isObject } from '@headwater/core/values';
import { policiesOf } from '@headwater/identity';
import type { Operation, OperationExample } from '../../rows/operation.ts';
import { shellWord } from '../../pages/shell-word.ts';
import { paths } from '../../wire/paths.ts';
import type { KnownNames } from '../../pages/known-names.ts';

/** Where a line goes, and with whose names. */
export interface LineFacts {
  readonly baseUrl: string;
  readonly known: KnownNames;
}

/** What each line begins with: no progress bar, errors told, and an end that can be read: the status on a line of its own. */
const CURL = `curl -sS -w '\\n%{http_code}\\n'`;
const AS_JSON = `-H 'Content-Type: application/json'`;
/** Behind it the line goes on in the next one. */
const GOES_ON = ' \\\n  ';

/** Lines that sign in and keep the access token. They need nothing beside curl and sed. */
export function signInLines(baseUrl: string): string {
  return [
    `NAME='your name'; PASSWORD='your password'`,
    `TOKEN=$(curl -sS ${shellWord(baseUrl + paths.login)} ${AS_JSON}${GOES_ON}-d '{"username":"'"$NAME"'","password":"'"$PASSWORD"'"}' |${GOES_ON}sed -n 's/.*"access": *"\\([^"]*\\)".*/\\1/p')`,
  ].join('\n');
}

/** Behind those: a line that makes an API key and keeps it. */
export function keyLine(baseUrl: string): string {
  return `KEY=$(curl -sS ${shellWord(baseUrl + paths.changeApiKeys)} -H "Authorization: Bearer $TOKEN" ${AS_JSON} -d '{}' |${GOES_ON}sed -n 's/.*"api_key": *"\\([^"]*\\)".*/\\1/p')`;
}

/** The line that sends an example to this service. */
export function curlLine(row: Operation, example: OperationExample, { baseUrl, known }: LineFacts): string {
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
  return [CURL, ...parts].join(GOES_ON);
}

/** The header that the row's first policy looks into: our token, or the key of an embedder's own. */
function credentialsOf(auth: Operation['auth']): string {
  const place = policiesOf(auth)[0]?.places.find((each) => each.in === 'header');
  if (place === undefined) return '';
  return place.name === 'authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H "${place.name}: $KEY"`;
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

/** The parameters that name a file here in place of one of the examples; none where they name none. */
function fileHere({ run, token, name }: Params, { files }: KnownNames): Params {
  const here = files?.get(`${run}/${token}/${name}`)?.split('/');
  return here === undefined ? {} : { run: here[0] ?? '', token: here[1] ?? '', name: here[2] ?? '' };
}

type Params = Readonly<Record<string, string | undefined>>;

/** The example's body with members that are known here: a place that there is, years that have scenes, a layer that is published. */
function bodyOf(body: unknown, known: KnownNames): unknown {
  if (!isObject(body)) return body;
  const members = Object.entries(body).map(([name, value]) => {
    const example = `${name}=${String(value)}`;
    const named = VARIABLES.get(example) ?? known.values.get(example);
    return [name, named ?? (Object.hasOwn(known.body, name) ? known.body[name] : value)] as const;
  });
  return Object.fromEntries(members);
}

/** Members of the fixture's own that the reader has to fill in: variables of the shell, set by the first lines of the page. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['username=test_user_0042', '$NAME'],
  ['password=example-password', '$PASSWORD'],
]);

/** A quoted text whose members are variables: each stands outside of the single quotes. */
function withVariables(text: string): string {
  return text.replaceAll(/"\$(NAME|PASSWORD)"/g, `"'"$$$1"'"`);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/tiff': 'tif',
  'application/geo+json': 'geojson',
  'text/html': 'html',
};

const PARTIAL = 206;

/** Files and pages are saved: nobody reads them in a terminal. Refusals are shown. */
function savedAs(row: Operation, { status, params = {} }: OperationExample, known: KnownNames): string {
  const spec = row.responses[status];
  if (status >= 300 || spec?.schema !== undefined) return '';
  const [media = ''] = (spec?.media ?? []).map((type) => type.replace(/;.*$/, ''));
  const extension = EXTENSIONS[media];
  if (extension === undefined) return '';
  const name = fileHere(params, known)['name'] ?? params['name'] ?? `${row.id}.${extension}`;
  // A part of a file may not take the place of the whole one that another line saved.
  return `-o ${shellWord(status === PARTIAL ? `${name}.part` : name)}`;
}
