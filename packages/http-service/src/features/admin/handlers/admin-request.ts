import { isDomainError } from '@headwater/core';
import { isObject, isStorable } from '@headwater/core/values';
import type { SessionPrincipal } from '@headwater/identity';
import type { ServiceDeps } from '../../../deps.ts';
import type { OperationInput } from '../../../rows/operation.ts';
import { sentenceIn } from '../../../pages/texts.ts';
import { fieldSentences } from '../../../screens/waiting.ts';
import { type Reader, readerOf, type ScreenInput, screenReply } from '../../../screens/replies.ts';
import { beforeForm, callerOf, forUser, forUserForm, type FormGate } from '../../../screens/signed-in.ts';
import type { AdminCaller, AdminField, AdminResource, AdminTexts } from '../../../seam/admin-resource.ts';
import type { EarlyReply, Reply } from '../../../seam/reply.ts';
import { wireName } from '../../../wire/names.ts';
import { sentences } from '../../../wire/sentences.ts';
import { STATUS_OF } from '../../../wire/status.ts';
import { wireMessage } from '../../../wire/wire-error.ts';
import { refusedFormPage } from '../../sign-in/page/sign-in-page.ts';
import { adminProblemPage, textFor } from '../page/admin-parts.ts';
import { paths } from '../../../wire/paths.ts';
import { type FormOutcome, NO_OUTCOME } from '../page/row-page.ts';

/** Request of a page of the admin. */
export type AdminInput = ScreenInput & Pick<OperationInput<'session', unknown, unknown, unknown>, 'path'>;

/** Fields of a form as sent. */
export type SentFields = Readonly<Record<string, string | File>>;

/** A superuser's request, with the data for the admin pages. */
export interface AdminView {
  readonly input: AdminInput;
  readonly deps: ServiceDeps;
  readonly reader: Reader;
  readonly caller: AdminCaller;
}

type Show = (view: AdminView) => Promise<Reply>;

/** Answers a request of a superuser. Visitors are sent to the sign-in page; other users get a 403 page. */
export function forAdmin(input: AdminInput, deps: ServiceDeps, show: Show): Promise<Reply> {
  return forUser(input, deps, (principal) => asSuperuser(principal, { input, deps, show }));
}

/** Answers a form of a superuser after its checks. `back`: page of the form, below the prefix. */
export function forAdminForm(
  input: AdminInput,
  deps: ServiceDeps,
  { body, back, act }: { readonly body: SentFields; readonly back: string; readonly act: Show },
): Promise<Reply> {
  return forUserForm(input, deps, {
    token: ownText(body, 'token'),
    back,
    refused: refusedFormPage,
    act: (principal) => asSuperuser(principal, { input, deps, show: act }),
  });
}

/** Checks before the body of a form is read: origin, session, and rights of the sender. */
export function beforeAdminForm(gate: Omit<FormGate, 'refused'>) {
  const check = beforeForm({ ...gate, refused: refusedFormPage });
  return async (input: AdminInput, deps: ServiceDeps): Promise<EarlyReply | undefined> => {
    const early = await check(input, deps);
    if (early !== undefined || input.principal.kind === 'anonymous' || input.principal.user.isSuperuser) return early;
    return { reply: await onlySuperusers(readerOf(input, deps)) };
  };
}

async function onlySuperusers(reader: Reader): Promise<Reply> {
  const { say } = reader;
  return await screenReply(403, adminProblemPage(reader, say('noPermission'), say('onlySuperusers')));
}

async function asSuperuser(
  principal: SessionPrincipal,
  { input, deps, show }: Pick<AdminView, 'input' | 'deps'> & { readonly show: Show },
): Promise<Reply> {
  const reader: Reader = { ...readerOf(input, deps), list: listOf(input) };
  const { language, prefix, chosen } = reader;
  if (!principal.user.isSuperuser) return await onlySuperusers(reader);
  const { remoteAddress } = input;
  return await show({
    input,
    deps,
    reader,
    caller: { principal: callerOf(principal), language, prefix, chosen, remoteAddress },
  });
}

const LONGEST_LIST = 1500;

/**
 * Finds the list to which a page links back. On a list, this is the list itself. On
 * other pages, it is the list that the user left. Its query is in the parameter
 * `list`, otherwise in the header `Referer`.
 */
function listOf({ path, queryText, method, headers }: AdminInput): Reader['list'] {
  const [, , resource = '', ...below] = path.split('/');
  const isList = method !== 'POST' && below.every((part) => part === '');
  const before = new URLSearchParams(queryText).get('list') ?? listBefore(headers['referer'], resource);
  const sent = new URLSearchParams(isList ? queryText : before);
  const kept = [...sent].filter(([name, value]) => value !== '' && /^(?:q|sort|page|by_\w+)$/.test(name));
  const query = new URLSearchParams(kept).toString();
  return { resource, query: isList || query.length <= LONGEST_LIST ? query : '' };
}

function listBefore(referer: unknown, resource: string): string {
  if (typeof referer !== 'string' || !URL.canParse(referer)) return '';
  const { pathname, search } = new URL(referer);
  return pathname.endsWith(`${paths.admin}${resource}/`) ? search : '';
}

/** Calls `show` with the resource of this name; answers with the 404 page if there is none. */
export async function withResource(
  view: AdminView,
  name: string,
  show: (resource: AdminResource) => Promise<Reply>,
): Promise<Reply> {
  const resource = view.deps.admin.find((each) => each.name === name);
  return resource === undefined ? await noPage(view) : await show(resource);
}

/** The 404 page for an unknown address of the admin. */
export async function noPage({ reader }: AdminView): Promise<Reply> {
  return await screenReply(404, adminProblemPage(reader, reader.say('notFound'), reader.say('noSuchPage')));
}

/** The 404 page for a row that does not exist. */
export async function noRow({ reader }: AdminView, resource: AdminResource, id: string): Promise<Reply> {
  const sentence = reader.say('noSuchRow', { title: textFor(reader, resource.title), id });
  return await screenReply(404, adminProblemPage(reader, reader.say('notFound'), sentence));
}

/** Text of a sent field; '' if it was not sent. */
export function ownText(body: SentFields, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Texts of the declared fields of a form, and their problems. */
export interface ReadForm {
  readonly texts: AdminTexts;
  readonly problems: Readonly<Record<string, readonly string[]>>;
}

/** Reads the declared fields of a form; other fields are ignored. */
export async function readForm(
  { language }: Pick<Reader, 'language'>,
  fields: readonly AdminField[],
  body: SentFields,
): Promise<ReadForm> {
  const texts: Record<string, string> = {};
  const problems: Record<string, readonly string[]> = {};
  for (const field of fields) {
    const text = await textOf(field, body);
    const problem = problemOf(field, text);
    texts[field.name] = text;
    if (problem !== undefined) problems[wireName(field.name)] = [sentenceIn(problem, language)];
  }
  return { texts, problems };
}

async function textOf({ name, kind }: AdminField, body: SentFields): Promise<string> {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value instanceof File) return kind === 'file' ? await value.text() : '';
  const text = (value ?? '').replaceAll('\r\n', '\n');
  if (kind === 'checkbox') return text === 'on' ? 'on' : '';
  return kind === 'password' || kind === 'textarea' ? text : text.trim();
}

function problemOf({ kind, choices = [], isRequired, most }: AdminField, text: string): string | undefined {
  if (text === '') return isRequired === true && kind !== 'checkbox' ? sentences.required : undefined;
  // Refuses binary files: their text has zero bytes or replacement characters.
  if (!isStorable(text) || (kind === 'file' && text.includes('\uFFFD'))) return sentences.notStorableText;
  if (most !== undefined && text.length > most) return sentences.tooLong(most);
  if (kind === 'select' && !choices.some(({ value }) => value === text))
    return sentences.oneOf(choices.map(({ value }) => value));
  return kind === 'number' && !/^-?\d+(?:\.\d+)?$/.test(text) ? sentences.notNumber : undefined;
}

/** The texts without secret fields, to show a form again. */
export function withoutSecrets(fields: readonly AdminField[], texts: AdminTexts): AdminTexts {
  const secret = new Set(fields.filter(isSecret).map(({ name }) => name));
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !secret.has(name)));
}

/** Query of the address that shows a sent form again. A cleared text or unticked checkbox is ''. */
export function keptTexts(
  fields: readonly AdminField[],
  { body, queryText }: Pick<AdminInput, 'queryText'> & { readonly body: SentFields },
): AdminTexts {
  const sent = fields.filter(({ name, kind }) => kind === 'checkbox' || Object.hasOwn(body, name));
  const texts = withoutSecrets(fields, Object.fromEntries(sent.map(({ name }) => [name, ownText(body, name)])));
  const list = new URLSearchParams(queryText).get('list');
  return list === null ? texts : { ...texts, list };
}

/** Texts of a form from the query of its page's address, without secrets. */
export function broughtTexts(fields: readonly AdminField[], { queryText }: Pick<AdminInput, 'queryText'>): AdminTexts {
  const sent = new URLSearchParams(queryText);
  const found = fields.flatMap(({ name }) => (sent.has(name) ? [[name, sent.get(name) ?? '']] : []));
  return withoutSecrets(fields, Object.fromEntries(found) as AdminTexts);
}

/** True for a field whose value is never shown again. */
export function isSecret({ kind }: AdminField): boolean {
  return kind === 'password' || kind === 'file';
}

/** A refused form: its status and headers, and the sentences of its page. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly outcome: FormOutcome;
}

/** Refusal of a form with these problems of its fields. */
export function refusedFields({ say }: Reader, fieldProblems: ReadForm['problems'], status = 400): Refusal {
  return { status, headers: {}, outcome: { ...NO_OUTCOME, problems: [say('correctFields')], fieldProblems } };
}

/** Refusal of a form for this reason. */
export function refusedFor(problem: string, status: number): Refusal {
  return { status, headers: {}, outcome: { ...NO_OUTCOME, problems: [problem] } };
}

/** For these errors, the error page replaces the form. */
const THROWN = new Set(['internal', 'not_found', 'token_not_valid', 'not_authenticated', 'user_inactive']);

/** Converts a domain error into the refusal of a form. Throws all other errors, and errors with a code of `THROWN`. */
export function refusalOf(reader: Reader, error: unknown, fields: readonly AdminField[]): Refusal {
  if (!isDomainError(error) || THROWN.has(error.code)) throw error;
  const status = STATUS_OF[error.code];
  const known = new Set(fields.map(({ name }) => wireName(name)));
  const found = Object.entries(fieldSentences(error, reader) ?? {});
  const fieldProblems = Object.fromEntries(found.filter(([name]) => known.has(name)));
  const others = found.filter(([name]) => !known.has(name)).flatMap(([, texts]) => texts);
  const problems = [
    ...(Object.keys(fieldProblems).length > 0 ? [reader.say('correctFields')] : []),
    ...(found.length === 0 ? [sentenceIn(wireMessage(error), reader.language)] : others),
  ];
  const { retryAfterSeconds } = error.details;
  const headers =
    typeof retryAfterSeconds === 'number' ? { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) } : {};
  return { status, headers: { ...headers }, outcome: { ...NO_OUTCOME, problems, fieldProblems } };
}

/** True for a `not_found` error: the row was removed in the meantime. */
export function isGone(error: unknown): boolean {
  return isDomainError(error) && error.code === 'not_found';
}

/** Fields of the body of a form; empty if the body is not an object. */
export function fieldsOf(body: unknown): SentFields {
  return isObject(body)
    ? Object.fromEntries(
        Object.entries(body).filter((entry): entry is [string, string | File] => {
          const [, value] = entry;
          return typeof value === 'string' || value instanceof File;
        }),
      )
    : {};
}
