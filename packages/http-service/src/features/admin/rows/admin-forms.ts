import { z } from 'zod';
import { BODY_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { openForm } from '../../../screens/form-check.ts';
import {
  REFUSED_PAGE,
  SCREEN_PAGE,
  SCREEN_ROW,
  screenReply,
  seeOther,
  TO_ANOTHER_PAGE,
} from '../../../screens/replies.ts';
import type { AdminAction, AdminActed, AdminDetail, AdminResource, AdminTexts } from '../../../seam/admin-resource.ts';
import type { Reply } from '../../../seam/reply.ts';
import { fieldsBody } from '../../../seam/row-body.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { textOrNone } from '../../../wire/text.ts';
import {
  type AdminInput,
  type AdminView,
  forAdminForm,
  isGone,
  noPage,
  noRow,
  ownText,
  readForm,
  type Refusal,
  refusalOf,
  refusedFields,
  refusedFor,
  type SentFields,
  withoutSecrets,
  withResource,
} from '../handlers/admin-request.ts';
import { changesByAction, changesOf, noteDeed } from '../handlers/audit-log.ts';
import { adminHref, textFor } from '../page/admin-parts.ts';
import { ROW_PREFIX } from '../page/list-page.ts';
import {
  type ActedRow,
  askPage,
  changeable,
  NO_OUTCOME,
  offered,
  resultsPage,
  type RowResult,
} from '../page/row-page.ts';
import { ActionParams, ResourceParams, RowParams, showAdd, showList, showRow } from './admin-pages.ts';

/** Maximum number of rows of one action. */
const MOST_ROWS = 200;
/** Longest text of a field, characters. */
const LONGEST = 100_000;

const REFUSED_STATUSES = [400, 404, 409, 413, 415, 422, 424, 429, 500, 502, 503, 504, 507] as const;

/** Fields of a form: which ones count is declared by the resource. */
const AdminFields = z.record(z.string().max(1100), z.union([textOrNone(LONGEST), z.file()]));
const DocumentedFields = z
  .looseObject({ token: z.string().optional().describe('Secret of the form, from its page.') })
  .meta({ id: 'AdminForm' });

const FORM_ROW = {
  ...SCREEN_ROW,
  body: {
    ...fieldsBody<SentFields>(AdminFields, { accepts: ['form', 'multipart', 'json'] }),
    documented: DocumentedFields,
  },
  responses: {
    200: SCREEN_PAGE,
    303: TO_ANOTHER_PAGE,
    403: REFUSED_PAGE,
    ...Object.fromEntries(REFUSED_STATUSES.map((status) => [status, REFUSED_PAGE])),
  },
  errors: [...BODY_ERRORS, 'not_found', 'token_not_valid'],
} as const;

const NO_SESSION = 'of a program without a session';

const addByForm = operation({
  ...FORM_ROW,
  id: 'addByAdminForm',
  method: 'POST',
  path: paths.adminAdd,
  summary: 'Adds an entry in the admin, for superusers',
  params: ResourceParams,
  examples: [{ name: NO_SESSION, params: { resource: 'users' }, body: {}, status: 403 }],
  handler: (input, deps) => {
    const { body, params } = input;
    const found = deps.admin.find(({ name }) => name === params.resource);
    const kept = withoutSecrets(found?.add?.fields ?? [], ownTexts(found, body));
    const filled = new URLSearchParams(Object.entries(kept).filter(([, text]) => text !== '')).toString();
    const page = fill(paths.adminAdd, { resource: encodeURIComponent(params.resource) });
    const back = filled === '' || filled.length > 1500 ? page : `${page}?${filled}`;
    return forAdminForm(input, deps, {
      body,
      back,
      act: (view) => withResource(view, params.resource, (resource) => add(view, resource, body)),
    });
  },
});

function ownTexts(resource: AdminResource | undefined, body: SentFields): AdminTexts {
  return Object.fromEntries((resource?.add?.fields ?? []).map(({ name }) => [name, ownText(body, name)]));
}

async function add(view: AdminView, resource: AdminResource, body: SentFields): Promise<Reply> {
  const { reader, caller } = view;
  if (resource.add === undefined) return await noPage(view);
  const { fields, run } = resource.add;
  const { texts, problems } = await readForm(fields, body);
  const shown = withoutSecrets(fields, texts);
  if (Object.keys(problems).length > 0)
    return await showAdd(view, resource, { texts: shown, refusal: refusedFields(reader, problems) });
  let added: Awaited<ReturnType<typeof run>>;
  try {
    added = await run(texts, caller);
  } catch (error) {
    return await showAdd(view, resource, { texts: shown, refusal: refusalOf(reader, error, fields) });
  }
  const { id, notice } = added;
  const detail = await resource.find?.(id, caller);
  const changes = changesOf(fields, {}, detail?.texts ?? shown);
  await noteDeed(view, { resource, id, title: detail?.title ?? id, action: 'add', changes });
  const notices = notice === undefined ? [] : [textFor(reader, notice)];
  if (detail === undefined) return await toList(view, resource, { done: 'add', notices });
  if (notices.length === 0) return seeOther(`${adminHref(reader, resource.name, id)}?done=add`);
  return await showRow(view, resource, { id, detail, done: 'add', notices });
}

/** Sends the browser to the list; a notice, which may be a secret, is shown at once and is not in an address. */
async function toList(
  view: AdminView,
  resource: AdminResource,
  {
    done,
    notices,
    refusal,
  }: { readonly done: string; readonly notices: readonly string[]; readonly refusal?: Refusal },
): Promise<Reply> {
  if (notices.length === 0 && refusal === undefined)
    return seeOther(`${adminHref(view.reader, resource.name)}?done=${encodeURIComponent(done)}`);
  return await showList(view, resource, { done, notices, ...(refusal && { refusal }) });
}

const changeByForm = operation({
  ...FORM_ROW,
  id: 'changeByAdminForm',
  method: 'POST',
  path: paths.adminRow,
  summary: 'Changes an entry in the admin, for superusers; fields that the form does not have are ignored',
  params: RowParams,
  examples: [{ name: NO_SESSION, params: { resource: 'users', id: '1' }, body: {}, status: 403 }],
  handler: (input, deps) =>
    forRowForm(input, deps, (view, { resource, id, detail }) =>
      change(view, resource, { id, detail, body: input.body }),
    ),
});

type RowInput = AdminInput & {
  readonly params: z.infer<typeof RowParams>;
  readonly body: SentFields;
};

/** A row of a form, found. */
interface FoundRow {
  readonly resource: AdminResource;
  readonly id: string;
  readonly detail: AdminDetail;
}

/** Answers a form of one row, or with the 404 page of an unknown one. */
function forRowForm(
  input: RowInput,
  deps: AdminView['deps'],
  act: (view: AdminView, row: FoundRow) => Promise<Reply>,
): Promise<Reply> {
  const { body, params } = input;
  const { resource: name, id } = params;
  const back = fill(paths.adminRow, { resource: encodeURIComponent(name), id: encodeURIComponent(id) });
  return forAdminForm(input, deps, {
    body,
    back,
    act: (view) =>
      withResource(view, name, async (resource) => {
        const detail = await resource.find?.(id, view.caller);
        if (detail === undefined) return await noRow(view, resource, id);
        try {
          return await act(view, { resource, id, detail });
        } catch (error) {
          if (!isGone(error)) throw error;
          return await noRow(view, resource, id);
        }
      }),
  });
}

async function change(
  view: AdminView,
  resource: AdminResource,
  { id, detail, body }: { readonly id: string; readonly detail: AdminDetail; readonly body: SentFields },
): Promise<Reply> {
  const { reader, caller } = view;
  const fields = changeable(resource);
  if (resource.change === undefined || fields.length === 0) return await noPage(view);
  const { texts, problems } = await readForm(fields, body);
  const shown = { ...detail.texts, ...withoutSecrets(fields, texts) };
  const refused = (refusal: Refusal): Promise<Reply> => showRow(view, resource, { id, detail, texts: shown, refusal });
  if (Object.keys(problems).length > 0) return await refused(refusedFields(reader, problems));
  try {
    await resource.change(id, texts, caller);
  } catch (error) {
    return await refused(refusalOf(reader, error, fields));
  }
  const after = await resource.find?.(id, caller);
  const changes = changesOf(fields, detail.texts, after?.texts ?? shown);
  await noteDeed(view, { resource, id, title: after?.title ?? detail.title, action: 'change', changes });
  if (after === undefined) return await toList(view, resource, { done: 'change', notices: [] });
  return seeOther(`${adminHref(reader, resource.name, id)}?done=change`);
}

const actByForm = operation({
  ...FORM_ROW,
  id: 'actByAdminForm',
  method: 'POST',
  path: paths.adminAction,
  summary: 'Runs an action on one entry in the admin, for superusers; first asks if it is dangerous or needs fields',
  params: ActionParams,
  examples: [{ name: NO_SESSION, params: { resource: 'users', id: '1', action: 'disable' }, body: {}, status: 403 }],
  handler: (input, deps) =>
    forRowForm(input, deps, async (view, row) => {
      const action = row.resource.actions?.find(({ name }) => name === input.params.action);
      return action === undefined ? await noPage(view) : await actOnRow(view, { ...row, action, body: input.body });
    }),
});

/** True if the action must be confirmed, or its fields typed, before it runs. */
function asksFirst({ isDangerous, fields = [] }: AdminAction, body: SentFields): boolean {
  return (isDangerous === true || fields.length > 0) && ownText(body, 'confirmed') !== 'yes';
}

function actedRow({ reader }: AdminView, id: string, detail: AdminDetail): ActedRow {
  const consequences = (detail.consequences ?? []).map((text) => textFor(reader, text));
  return { id, title: detail.title, consequences };
}

async function actOnRow(
  view: AdminView,
  row: FoundRow & { readonly action: AdminAction; readonly body: SentFields },
): Promise<Reply> {
  const { reader } = view;
  const { resource, id, detail, action, body } = row;
  if (!offered(resource, detail).includes(action)) {
    const problem = notOffered(view, action, detail);
    return await showRow(view, resource, { id, detail, refusal: refusedFor(problem, 409) });
  }
  const rows = [actedRow(view, id, detail)];
  const asked = { resource, action, rows, isBulk: false };
  if (asksFirst(action, body)) return await ask(view, asked);
  const fields = action.fields ?? [];
  const { texts, problems } = await readForm(fields, body);
  if (Object.keys(problems).length > 0)
    return await ask(view, {
      ...asked,
      texts: withoutSecrets(fields, texts),
      refusal: refusedFields(reader, problems),
    });
  let acted: AdminActed;
  try {
    acted = await runAndNote(view, { ...row, texts });
  } catch (error) {
    const refusal = refusalOf(reader, error, fields);
    if (fields.length > 0) return await ask(view, { ...asked, texts: withoutSecrets(fields, texts), refusal });
    return await showRow(view, resource, { id, detail, refusal });
  }
  return await afterAction(view, { resource, id, action, acted });
}

/** Runs an action on a row and writes it to the audit log, unless its notice reports a failure. */
async function runAndNote(
  view: AdminView,
  { resource, id, detail, action, texts }: FoundRow & { readonly action: AdminAction; readonly texts: AdminTexts },
): Promise<AdminActed> {
  const acted = await action.run(id, view.caller, texts);
  if (acted.isFailure === true) return acted;
  const after = await resource.find?.(id, view.caller);
  const changes = changesByAction(resource, action, { before: detail, after, typed: texts });
  await noteDeed(view, { resource, id, title: detail.title, action: action.name, changes });
  return acted;
}

async function afterAction(
  view: AdminView,
  {
    resource,
    id,
    action,
    acted,
  }: Omit<FoundRow, 'detail'> & { readonly action: AdminAction; readonly acted: AdminActed },
): Promise<Reply> {
  const { reader, caller } = view;
  const { notice, isFailure = false } = acted;
  const sentences = notice === undefined ? [] : [textFor(reader, notice)];
  const notices = isFailure ? [] : sentences;
  const detail = await resource.find?.(id, caller);
  if (detail === undefined) return await toList(view, resource, { done: action.name, notices });
  if (sentences.length === 0 && !isFailure)
    return seeOther(`${adminHref(reader, resource.name, id)}?done=${encodeURIComponent(action.name)}`);
  return await showRow(view, resource, { id, detail, notices, problems: isFailure ? sentences : [] });
}

function notOffered({ reader }: AdminView, { label }: AdminAction, { title }: Pick<AdminDetail, 'title'>): string {
  return reader.say('notOffered', { action: textFor(reader, label), title });
}

/** An action that is asked about. */
interface Asked {
  readonly resource: AdminResource;
  readonly action: AdminAction;
  readonly rows: readonly ActedRow[];
  readonly isBulk: boolean;
  readonly texts?: AdminTexts;
  readonly refusal?: Refusal;
}

async function ask({ input, deps, reader }: AdminView, { refusal, texts = {}, ...asked }: Asked): Promise<Reply> {
  const form = openForm(input, deps);
  const page = askPage(reader, { ...asked, texts, token: form.token, outcome: refusal?.outcome ?? NO_OUTCOME });
  return await screenReply(refusal?.status ?? 200, page, { ...refusal?.headers, ...form.headers });
}

const actOnChosen = operation({
  ...FORM_ROW,
  id: 'actOnChosenByAdminForm',
  method: 'POST',
  path: paths.adminActions,
  summary: 'Runs an action on the chosen entries of a list in the admin, for superusers, and shows the result of each',
  params: ResourceParams,
  examples: [{ name: NO_SESSION, params: { resource: 'users' }, body: {}, status: 403 }],
  handler: (input, deps) => {
    const { body, params } = input;
    const back = fill(paths.adminList, { resource: encodeURIComponent(params.resource) });
    return forAdminForm(input, deps, {
      body,
      back,
      act: (view) => withResource(view, params.resource, (resource) => actOnRows(view, resource, body)),
    });
  },
});

async function actOnRows(view: AdminView, resource: AdminResource, body: SentFields): Promise<Reply> {
  const { reader, caller } = view;
  const { say } = reader;
  const action = resource.actions?.find(({ name, isBulk }) => isBulk === true && name === ownText(body, 'action'));
  if (action === undefined) return await noPage(view);
  const ids = Object.keys(body)
    .filter((name) => name.startsWith(ROW_PREFIX))
    .map((name) => name.slice(ROW_PREFIX.length));
  if (ids.length === 0) return await showList(view, resource, { refusal: refusedFor(say('chooseRows'), 400) });
  if (ids.length > MOST_ROWS) {
    const problem = say('tooManyRows', { most: String(MOST_ROWS) });
    return await showList(view, resource, { refusal: refusedFor(problem, 400) });
  }
  const fields = action.fields ?? [];
  const { texts, problems } = await readForm(fields, body);
  const isAsking = asksFirst(action, body);
  if (isAsking || Object.keys(problems).length > 0) {
    const rows: ActedRow[] = [];
    for (const id of ids) {
      const detail = await resource.find?.(id, caller);
      rows.push(detail === undefined ? { id, title: id, consequences: [] } : actedRow(view, id, detail));
    }
    const refusal = isAsking ? {} : { refusal: refusedFields(reader, problems) };
    return await ask(view, { resource, action, rows, isBulk: true, texts: withoutSecrets(fields, texts), ...refusal });
  }
  const results: RowResult[] = [];
  for (const id of ids) results.push(await actOnOne(view, { resource, id, action, texts }));
  return await screenReply(200, resultsPage(reader, resource, { action, results }));
}

/** Runs an action on one of several rows; a refusal is its result, so that the other rows are done. */
async function actOnOne(
  view: AdminView,
  {
    resource,
    id,
    action,
    texts,
  }: Omit<FoundRow, 'detail'> & { readonly action: AdminAction; readonly texts: AdminTexts },
): Promise<RowResult> {
  const { reader, caller } = view;
  const failed = (title: string, sentence: string): RowResult => ({ id, title, isFailure: true, sentence });
  const unknown = reader.say('noSuchRow', { title: textFor(reader, resource.title), id });
  const detail = resource.find === undefined ? { title: id, texts: {} } : await resource.find(id, caller);
  if (detail === undefined) return failed(id, unknown);
  if (!offered(resource, detail).includes(action)) return failed(detail.title, notOffered(view, action, detail));
  try {
    const { notice, isFailure = false } = await runAndNote(view, { resource, id, detail, action, texts });
    const done = reader.say('isDone', { action: textFor(reader, action.label) });
    const sentence = notice === undefined ? done : textFor(reader, notice);
    return { id, title: detail.title, isFailure, sentence };
  } catch (error) {
    if (isGone(error)) return failed(detail.title, unknown);
    const { outcome } = refusalOf(reader, error, []);
    return failed(detail.title, outcome.problems.join(' '));
  }
}

/** Operations that change something in the admin. */
export const adminFormOperations = [addByForm, changeByForm, actByForm, actOnChosen] satisfies readonly Operation[];
