import { z } from 'zod';
import { BODY_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import {
  type Reader,
  REFUSED_PAGE,
  SCREEN_PAGE,
  SCREEN_ROW,
  seeOther,
  TO_ANOTHER_PAGE,
} from '../../../screens/replies.ts';
import { addressWith } from '../../../pages/parts.ts';
import { keptAddress } from '../../../screens/kept-form.ts';
import type { AdminDetail, AdminResource } from '../../../seam/admin-resource.ts';
import type { Reply } from '../../../seam/reply.ts';
import { fieldsBody } from '../../../seam/row-body.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { textOrNone } from '../../../wire/text.ts';
import {
  type AdminInput,
  type AdminView,
  beforeAdminForm,
  forAdminForm,
  isGone,
  keptTexts,
  noPage,
  noRow,
  ownText,
  type ReadForm,
  readForm,
  type Refusal,
  refusalOf,
  refusedFields,
  refusedFor,
  type SentFields,
  withoutSecrets,
  withResource,
} from '../handlers/admin-request.ts';
import { changesOf, detailAfter, noteDeed } from '../handlers/audit-log.ts';
import { adminHref, adminTarget, textFor } from '../page/admin-parts.ts';
import { changeable, hashOf } from '../page/row-page.ts';
import {
  type ComparedTexts,
  presentValues,
  ResourceParams,
  RowParams,
  showAdd,
  showList,
  showRow,
} from './admin-pages.ts';

const LONGEST = 100_000;

const REFUSED_STATUSES = [400, 404, 409, 413, 415, 422, 424, 429, 500, 502, 503, 504, 507] as const;

/** Fields with any names, because each resource declares its own fields. */
const AdminFields = z.record(z.string().max(1100), z.union([textOrNone(LONGEST), z.file()]));
const DocumentedFields = z
  .looseObject({ token: z.string().optional().describe('Token against forged requests, from the page of the form.') })
  .meta({ id: 'AdminForm' });

/** Members of every operation with a form of the admin. */
export const FORM_ROW = {
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
  // `back`: page to which the sign-in returns if the form is too long to be kept. For a form of an action, this is the
  // page of the row or the list.
  beforeBody: beforeAdminForm({ back: (path) => path.replace(/\/actions(?:\/[^/]*)?\/?$/, '/'), keepsTexts: true }),
} as const;

/** Name of the example of every form. */
export const NO_SESSION = 'of a program without a session';

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
    const page = fill(paths.adminAdd, { resource: encodeURIComponent(params.resource) });
    const back = keptAddress(page, { typed: keptTexts(found?.add?.fields ?? [], input) });
    return forAdminForm(input, deps, {
      body,
      back,
      act: (view) => withResource(view, params.resource, (resource) => add(view, resource, body)),
    });
  },
});

async function add(view: AdminView, resource: AdminResource, body: SentFields): Promise<Reply> {
  const { reader, caller } = view;
  if (resource.add === undefined) return await noPage(view);
  const { fields, run } = resource.add;
  const { texts, problems } = await readForm(reader, fields, body);
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
  const detail = await detailAfter(view, resource, { id, known: { title: id, texts: shown } });
  const changes = changesOf(fields, {}, detail?.texts ?? shown);
  await noteDeed(view, { resource, id, title: detail?.title ?? id, action: 'add', changes });
  const notices = notice === undefined ? [] : [textFor(reader, notice)];
  if (detail === undefined) return await toList(view, resource, { done: 'add', notices });
  if (notices.length === 0) return seeOther(addressWith(adminTarget(reader, resource.name, id), { done: 'add' }));
  return await showRow(view, resource, { id, detail, done: 'add', notices });
}

/**
 * Redirects the browser to the list. With a notice or a refusal, answers with the list itself: a notice can contain a
 * secret, which must not be in an address.
 */
export async function toList(
  view: AdminView,
  resource: AdminResource,
  {
    done,
    notices,
    refusal,
  }: { readonly done: string; readonly notices: readonly string[]; readonly refusal?: Refusal },
): Promise<Reply> {
  if (notices.length === 0 && refusal === undefined)
    return seeOther(addressWith(adminHref(view.reader, resource.name), { done }));
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
  handler: (input, deps) => {
    const { body, params } = input;
    const found = deps.admin.find(({ name }) => name === params.resource);
    const typed = keptTexts(found === undefined ? [] : changeable(found), input);
    // `was`: hash of the row that the form showed. Without it, the form would overwrite a change by another user.
    const fixed = Object.hasOwn(body, 'was') ? { was: ownText(body, 'was') } : {};
    return forRowForm(input, deps, {
      back: keptAddress(rowPath(params), { typed, fixed }),
      act: (view, { resource, id, detail }) => change(view, resource, { id, detail, body }),
    });
  },
});

/** Path of the page of a row. */
export function rowPath({ resource, id }: z.infer<typeof RowParams>): string {
  return fill(paths.adminRow, { resource: encodeURIComponent(resource), id: encodeURIComponent(id) });
}

type RowInput = AdminInput & {
  readonly params: z.infer<typeof RowParams>;
  readonly body: SentFields;
};

/** A row that exists, and its resource. */
export interface FoundRow {
  readonly resource: AdminResource;
  readonly id: string;
  readonly detail: AdminDetail;
}

type WithRow = (view: AdminView, row: FoundRow) => Promise<Reply>;

/**
 * Answers a form of a row; answers with the 404 page if the row is unknown. `back`: page of the form, below the prefix.
 */
export function forRowForm(
  input: RowInput,
  deps: AdminView['deps'],
  { back, act }: { readonly back: string; readonly act: WithRow },
): Promise<Reply> {
  const { body, params } = input;
  return forAdminForm(input, deps, { body, back, act: (view) => withRow(view, params, act) });
}

/** Calls `act` with a row; answers with the 404 page if the row is unknown. */
export function withRow(view: AdminView, { resource: name, id }: RowInput['params'], act: WithRow): Promise<Reply> {
  return withResource(view, name, async (resource) => {
    const detail = await resource.find?.(id, view.caller);
    if (detail === undefined) return await noRow(view, resource, id);
    try {
      return await act(view, { resource, id, detail });
    } catch (error) {
      if (!isGone(error)) throw error;
      return await noRow(view, resource, id);
    }
  });
}

function refusedAsOld(
  reader: Reader,
  { problems, ...compared }: ComparedTexts & { readonly problems: ReadForm['problems'] },
): Refusal {
  const present = Object.entries(presentValues(reader, compared));
  const fieldProblems = present.map(([name, texts]) => [name, [...(problems[name] ?? []), ...texts]] as const);
  const { outcome, ...refusal } = refusedFor(reader.say('changedMeanwhile'), 409);
  return { ...refusal, outcome: { ...outcome, fieldProblems: { ...problems, ...Object.fromEntries(fieldProblems) } } };
}

async function change(
  view: AdminView,
  resource: AdminResource,
  { id, detail, body }: { readonly id: string; readonly detail: AdminDetail; readonly body: SentFields },
): Promise<Reply> {
  const { reader, caller } = view;
  const fields = changeable(resource);
  if (resource.change === undefined || fields.length === 0) return await noPage(view);
  const { texts, problems } = await readForm(reader, fields, body);
  const shown = { ...detail.texts, ...withoutSecrets(fields, texts) };
  const refused = (refusal: Refusal): Promise<Reply> => showRow(view, resource, { id, detail, texts: shown, refusal });
  // This check comes first: other refusals send the form with a new hash, which would hide the change.
  if (Object.hasOwn(body, 'was') && ownText(body, 'was') !== hashOf(fields, detail.texts))
    return await refused(refusedAsOld(reader, { fields, typed: shown, present: detail.texts, problems }));
  if (Object.keys(problems).length > 0) return await refused(refusedFields(reader, problems));
  try {
    await resource.change(id, texts, caller);
  } catch (error) {
    return await refused(refusalOf(reader, error, fields));
  }
  const after = await detailAfter(view, resource, { id, known: { ...detail, texts: shown } });
  const changes = changesOf(fields, detail.texts, after?.texts ?? shown);
  await noteDeed(view, { resource, id, title: after?.title ?? detail.title, action: 'change', changes });
  if (after === undefined) return await toList(view, resource, { done: 'change', notices: [] });
  return seeOther(addressWith(adminTarget(reader, resource.name, id), { done: 'change' }));
}

/** Operations that add and change entries of the admin. */
export const adminFormOperations = [addByForm, changeByForm] satisfies readonly Operation[];
