import { isDomainError } from '@headwater/core';
import type { z } from 'zod';
import { addressWith } from '../../../pages/parts.ts';
import { sentenceIn } from '../../../pages/texts.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { keptAddress } from '../../../screens/kept-form.ts';
import { openForm } from '../../../screens/form-check.ts';
import { screenReply, seeOther } from '../../../screens/replies.ts';
import type { AdminAction, AdminActed, AdminDetail, AdminResource, AdminTexts } from '../../../seam/admin-resource.ts';
import type { Reply } from '../../../seam/reply.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { wireMessage } from '../../../wire/wire-error.ts';
import {
  type AdminView,
  broughtTexts,
  forAdmin,
  forAdminForm,
  isGone,
  keptTexts,
  noPage,
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
import { changesByAction, detailAfter, noteDeed } from '../handlers/audit-log.ts';
import { adminHref, adminTarget, textFor } from '../page/admin-parts.ts';
import { ROW_PREFIX } from '../page/list-page.ts';
import { type ActedRow, askPage, NO_OUTCOME, offered, resultsPage, type RowResult } from '../page/row-page.ts';
import { FORM_ROW, forRowForm, type FoundRow, NO_SESSION, rowPath, toList, withRow } from './admin-forms.ts';
import { ActionParams, AdminScreenQuery, PAGE_ROW, ResourceParams, showList, showRow } from './admin-pages.ts';

const MOST_ROWS = 200;

const actByForm = operation({
  ...FORM_ROW,
  id: 'actByAdminForm',
  method: 'POST',
  path: paths.adminAction,
  summary:
    'Runs an action on one entry in the admin, for superusers; if it needs fields or a confirmation, first shows a page',
  params: ActionParams,
  examples: [{ name: NO_SESSION, params: { resource: 'users', id: '1', action: 'disable' }, body: {}, status: 403 }],
  handler: (input, deps) => {
    const { body, params } = input;
    const wanted = actionNamed(deps, params);
    const fields = wanted?.fields ?? [];
    const page = wanted !== undefined && asks(wanted) ? askPath(params) : rowPath(params);
    return forRowForm(input, deps, {
      back: keptAddress(page, { typed: keptTexts(fields, input) }),
      act: async (view, row) => {
        const action = row.resource.actions?.find(({ name }) => name === params.action);
        return action === undefined ? await noPage(view) : await actOnRow(view, { ...row, action, body });
      },
    });
  },
});

type ActionAddress = z.infer<typeof ActionParams>;

function actionNamed({ admin }: AdminView['deps'], named: Omit<ActionAddress, 'id'>): AdminAction | undefined {
  const resource = admin.find(({ name }) => name === named.resource);
  return resource?.actions?.find(({ name }) => name === named.action);
}

function askPath({ resource, id, action }: ActionAddress): string {
  const parts = { resource, id, action };
  const encoded = Object.entries(parts).map(([name, value]) => [name, encodeURIComponent(value)] as const);
  return fill(paths.adminAction, Object.fromEntries(encoded));
}

const showAction = operation({
  ...PAGE_ROW,
  id: 'showAdminAction',
  method: 'GET',
  path: paths.adminAction,
  summary:
    'Page in the admin, for superusers, that asks for the fields or the confirmation of an action on one entry; the query can fill the fields',
  params: ActionParams,
  query: AdminScreenQuery,
  examples: [{ name: 'of a visitor', params: { resource: 'users', id: '1', action: 'disable' }, status: 303 }],
  handler: (input, deps) =>
    forAdmin(input, deps, (view) =>
      withRow(view, input.params, async (_view, row) => {
        const { resource, id, detail } = row;
        const action = resource.actions?.find(({ name }) => name === input.params.action);
        if (action === undefined) return await noPage(view);
        const isOffered = offered(resource, detail).includes(action);
        if (!isOffered || !asks(action)) return seeOther(adminTarget(view.reader, resource.name, id));
        const texts = broughtTexts(action.fields ?? [], input);
        return await ask(view, { resource, action, rows: [actedRow(view, action, row)], isBulk: false, texts });
      }),
    ),
});

function asks({ isDangerous, fields = [] }: AdminAction): boolean {
  return isDangerous === true || fields.length > 0;
}

function asksFirst(action: AdminAction, body: SentFields): boolean {
  return asks(action) && ownText(body, 'confirmed') !== 'yes';
}

function actedRow(
  { reader }: AdminView,
  { isDangerous, consequences }: AdminAction,
  { id, detail }: Pick<FoundRow, 'id' | 'detail'>,
): ActedRow {
  const ofRow = isDangerous === true ? (detail.consequences ?? []) : [];
  const shown = consequences ?? ofRow;
  return { id, title: detail.title, consequences: shown.map((text) => textFor(reader, text)) };
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
  const rows = [actedRow(view, action, row)];
  const asked = { resource, action, rows, isBulk: false };
  if (asksFirst(action, body)) return await ask(view, asked);
  const fields = action.fields ?? [];
  const { texts, problems } = await readForm(reader, fields, body);
  if (Object.keys(problems).length > 0)
    return await ask(view, {
      ...asked,
      texts: withoutSecrets(fields, texts),
      refusal: refusedFields(reader, problems),
    });
  let acted: Acted;
  try {
    acted = await runAndNote(view, { ...row, texts });
  } catch (error) {
    const refusal = refusalOf(reader, error, fields);
    if (fields.length > 0) return await ask(view, { ...asked, texts: withoutSecrets(fields, texts), refusal });
    return await showRow(view, resource, { id, detail, refusal });
  }
  return await afterAction(view, row, acted);
}

interface Acted extends AdminActed {
  readonly after: AdminDetail | undefined;
}

interface ActedOn extends FoundRow {
  readonly action: AdminAction;
}

/** Runs an action on a row. Writes it to the audit log, unless its notice reports a failure. */
async function runAndNote(
  view: AdminView,
  { resource, id, detail, action, texts }: ActedOn & { readonly texts: AdminTexts },
): Promise<Acted> {
  const acted = await action.run(id, view.caller, texts);
  const after = await detailAfter(view, resource, { id, known: detail });
  if (acted.isFailure !== true) {
    const changes = changesByAction(resource, action, { before: detail, after, typed: texts });
    await noteDeed(view, { resource, id, title: detail.title, action: action.name, changes });
  }
  return { ...acted, after };
}

async function afterAction(view: AdminView, { resource, id, action }: ActedOn, acted: Acted): Promise<Reply> {
  const { reader } = view;
  const { notice, isFailure = false, parts = [], after: detail } = acted;
  const sentences = notice === undefined ? [] : [textFor(reader, notice)];
  if (detail === undefined && isFailure)
    return await showList(view, resource, { refusal: refusedFor(sentences.join(' '), 409) });
  if (detail === undefined) return await toList(view, resource, { done: action.name, notices: sentences });
  if (isFailure) return await showRow(view, resource, { id, detail, parts, problems: sentences });
  if (sentences.length > 0) return await showRow(view, resource, { id, detail, parts, notices: sentences });
  return seeOther(addressWith(adminTarget(reader, resource.name, id), { done: action.name }));
}

function notOffered({ reader }: AdminView, { label }: AdminAction, { title }: Pick<AdminDetail, 'title'>): string {
  return reader.say('notOffered', { action: textFor(reader, label), title });
}

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
    const resource = encodeURIComponent(params.resource);
    const wanted = actionNamed(deps, { resource: params.resource, action: ownText(body, 'action') });
    // `keptAddress` keeps all texts of `fixed` or none, because an address with only some of the chosen rows would be
    // wrong.
    const fixed = {
      action: ownText(body, 'action'),
      ...Object.fromEntries(chosenIds(body).map((id) => [ROW_PREFIX + id, 'on'])),
    };
    const typed = keptTexts(wanted?.fields ?? [], input);
    const back = keptAddress(fill(paths.adminActions, { resource }), { typed, fixed });
    return forAdminForm(input, deps, {
      body,
      back,
      act: (view) => withResource(view, params.resource, (resource) => actOnRows(view, resource, body)),
    });
  },
});

function chosenIds(sent: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(sent)
    .filter((name) => name.startsWith(ROW_PREFIX))
    .map((name) => name.slice(ROW_PREFIX.length));
}

function bulkAction({ actions = [] }: AdminResource, wanted: string): AdminAction | undefined {
  return actions.find(({ name, isBulk }) => isBulk === true && name === wanted);
}

const showActions = operation({
  ...PAGE_ROW,
  id: 'showAdminActions',
  method: 'GET',
  path: paths.adminActions,
  summary:
    'Page in the admin, for superusers, that asks for the fields or the confirmation of an action on chosen entries; the query names the entries',
  params: ResourceParams,
  query: AdminScreenQuery,
  examples: [{ name: 'of a visitor', params: { resource: 'users' }, status: 303 }],
  handler: (input, deps) =>
    forAdmin(input, deps, (view) =>
      withResource(view, input.params.resource, async (resource) => {
        const sent = new URLSearchParams(input.queryText);
        const action = bulkAction(resource, sent.get('action') ?? '');
        const ids = chosenIds(Object.fromEntries(sent));
        if (action === undefined || ids.length === 0 || ids.length > MOST_ROWS)
          return seeOther(adminHref(view.reader, resource.name));
        const texts = broughtTexts(action.fields ?? [], input);
        return await ask(view, {
          resource,
          action,
          rows: await actedRows(view, { resource, action, ids }),
          isBulk: true,
          texts,
        });
      }),
    ),
});

async function actedRows(
  view: AdminView,
  { resource, action, ids }: Pick<Asked, 'resource' | 'action'> & { readonly ids: readonly string[] },
): Promise<readonly ActedRow[]> {
  const rows: ActedRow[] = [];
  for (const id of ids) {
    const detail = await resource.find?.(id, view.caller);
    rows.push(detail === undefined ? { id, title: id, consequences: [] } : actedRow(view, action, { id, detail }));
  }
  return rows;
}

async function actOnRows(view: AdminView, resource: AdminResource, body: SentFields): Promise<Reply> {
  const { reader } = view;
  const { say } = reader;
  const action = bulkAction(resource, ownText(body, 'action'));
  if (action === undefined) return await noPage(view);
  const ids = chosenIds(body);
  if (ids.length === 0) return await showList(view, resource, { refusal: refusedFor(say('chooseRows'), 400) });
  if (ids.length > MOST_ROWS) {
    const problem = say('tooManyRows', { most: String(MOST_ROWS) });
    return await showList(view, resource, { refusal: refusedFor(problem, 400) });
  }
  const fields = action.fields ?? [];
  const { texts, problems } = await readForm(reader, fields, body);
  const isAsking = asksFirst(action, body);
  if (isAsking || Object.keys(problems).length > 0) {
    const rows = await actedRows(view, { resource, action, ids });
    const refusal = isAsking ? {} : { refusal: refusedFields(reader, problems) };
    return await ask(view, { resource, action, rows, isBulk: true, texts: withoutSecrets(fields, texts), ...refusal });
  }
  const results: RowResult[] = [];
  const done = new Set<string>();
  for (const id of ids) results.push(await actOnOne(view, { resource, id, action, texts, done }));
  return await screenReply(200, resultsPage(reader, resource, { action, results }));
}

/**
 * Runs an action on a row. Skips a row in `done`: the action on an earlier row has included it. A failure becomes a
 * result, so that all rows are tried.
 */
async function actOnOne(
  view: AdminView,
  wanted: Omit<ActedOn, 'detail'> & { readonly texts: AdminTexts; readonly done: Set<string> },
): Promise<RowResult> {
  const { reader, caller, deps } = view;
  const { resource, id, action, done } = wanted;
  const isDone = reader.say('isDone', { action: textFor(reader, action.label) });
  if (done.has(id)) return { id, title: id, isFailure: false, sentence: isDone };
  let title = id;
  const failed = (sentence: string): RowResult => ({ id, title, isFailure: true, sentence });
  const unknown = reader.say('noSuchRow', { title: textFor(reader, resource.title), id });
  try {
    const detail = resource.find === undefined ? { title: id, texts: {} } : await resource.find(id, caller);
    if (detail === undefined) return failed(unknown);
    ({ title } = detail);
    if (!offered(resource, detail).includes(action)) return failed(notOffered(view, action, detail));
    const { notice, isFailure = false, also = [] } = await runAndNote(view, { ...wanted, detail });
    for (const each of also) done.add(each);
    return { id, title, isFailure, sentence: notice === undefined ? isDone : textFor(reader, notice) };
  } catch (error) {
    if (isGone(error)) return failed(unknown);
    if (isDomainError(error) && error.code !== 'internal')
      return failed(sentenceIn(wireMessage(error), reader.language));
    deps.logger.error(
      { resource: resource.name, id, action: action.name, error: String(error) },
      'an action of the admin failed',
    );
    return failed(reader.say('failed'));
  }
}

/** Operations that run actions on entries of the admin. */
export const adminActionOperations = [showAction, actByForm, showActions, actOnChosen] satisfies readonly Operation[];
