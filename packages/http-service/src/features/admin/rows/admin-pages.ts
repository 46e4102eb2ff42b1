import { z } from 'zod';
import { PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { openForm } from '../../../screens/form-check.ts';
import { type Reader, SCREEN_PAGE, SCREEN_ROW, screenReply, TO_ANOTHER_PAGE } from '../../../screens/replies.ts';
import type { Html } from '../../../pages/layout.ts';
import type {
  AdminCaller,
  AdminDetail,
  AdminField,
  AdminQuery,
  AdminResource,
  AdminTexts,
} from '../../../seam/admin-resource.ts';
import type { Reply } from '../../../seam/reply.ts';
import { wireName } from '../../../wire/names.ts';
import { numberInDocument, textOrNone } from '../../../wire/text.ts';
import { paths } from '../../../wire/paths.ts';
import { LANGUAGES } from '../../../wire/words.ts';
import {
  type AdminView,
  broughtTexts,
  forAdmin,
  isSecret,
  noPage,
  noRow,
  type Refusal,
  withResource,
} from '../handlers/admin-request.ts';
import { historyOf, latestEntries } from '../handlers/audit-log.ts';
import { textFor } from '../page/admin-parts.ts';
import { FILTER_PREFIX, type IndexEntry, indexPage, listPage, PAGE_ROWS, type ShownFilter } from '../page/list-page.ts';
import { addPage, changeable, type FormOutcome, NO_OUTCOME, rowPage, shownText } from '../page/row-page.ts';

const resource = textOrNone(100).describe('Name of the kind of entries, such as `users`.');
const id = textOrNone(1000).describe('Id of the entry.');

/** Parameters of the addresses of the admin. */
export const ResourceParams = z.object({ resource });
export const RowParams = z.object({ resource, id });
export const ActionParams = z.object({ resource, id, action: textOrNone(100).describe('Name of the action.') });

const lang = z.enum(LANGUAGES).optional().catch(undefined).describe('Language; default: by `Accept-Language`.');
/** Name of the last form. The page has its own sentence for each name, so that a link cannot show any other text. */
const done = z
  .string()
  .max(100)
  .optional()
  .catch(undefined)
  .describe('Name of the form that was sent last; the page confirms it.');

export const AdminScreenQuery = z.object({ lang });
const was = textOrNone(100)
  .optional()
  .catch(undefined)
  .describe('Hash of the texts with which the form was opened; it shows if the entry was changed since.');
const list = z
  .string()
  .optional()
  .describe(
    'Search, filters, sorting and page of the list from which this page was opened, as a query string; the link back to the list contains them.',
  );
const AdminRowQuery = z.object({ lang, done, list, was });
const AdminListQuery = z.object({
  lang,
  done,
  q: textOrNone(200).catch('').default('').describe('Words to search for.'),
  sort: z
    .string()
    .max(100)
    .catch('')
    .default('')
    .describe('Column by which the list is sorted; with `-` in front, in descending order.'),
  page: numberInDocument(z.string().max(7).catch('').default(''), { type: 'integer', minimum: 1 }).describe(
    'Page of the list, from 1.',
  ),
});

/** Statuses and errors of all pages of the admin. */
export const PAGE_ROW = {
  ...SCREEN_ROW,
  responses: {
    200: SCREEN_PAGE,
    303: TO_ANOTHER_PAGE,
    403: { description: 'A page for users who are not superusers.', media: ['text/html'] },
    404: { description: 'A page for an unknown kind or entry.', media: ['text/html'] },
  },
  errors: [...PARAMETER_ERRORS, 'not_found'],
} as const;

const showAdmin = operation({
  ...PAGE_ROW,
  id: 'showAdmin',
  method: 'GET',
  path: paths.admin,
  summary: 'First page of the admin, for superusers: all kinds of entries, and the latest changes',
  query: AdminScreenQuery,
  examples: [{ name: 'of a visitor', status: 303 }],
  handler: (input, deps) =>
    forAdmin(input, deps, async (view) => {
      const entries = await Promise.all(deps.admin.map((each) => countedEntry(view, each)));
      return await screenReply(200, indexPage(view.reader, entries, await latestEntries(view)));
    }),
});

/** A resource for the first page. If its rows cannot be counted, the page is shown without the number. */
async function countedEntry({ caller, deps }: AdminView, each: AdminResource): Promise<IndexEntry> {
  try {
    return { resource: each, count: await each.count?.(caller) };
  } catch (error) {
    deps.logger.error(
      { resource: each.name, error: String(error) },
      'the entries of a list could not be counted; the first page of the admin shows no count for this list',
    );
    return { resource: each, count: undefined };
  }
}

const showAdminList = operation({
  ...PAGE_ROW,
  id: 'showAdminList',
  method: 'GET',
  path: paths.adminList,
  summary: 'List of one kind of entries in the admin, for superusers: with search, filters, order and pages',
  params: ResourceParams,
  query: AdminListQuery,
  examples: [{ name: 'of a visitor', params: { resource: 'users' }, status: 303 }],
  handler: (input, deps) =>
    forAdmin(input, deps, (view) =>
      withResource(view, input.params.resource, (found) => showList(view, found, { done: input.query.done })),
    ),
});

async function shownFilters({ filters = [] }: AdminResource, caller: AdminCaller): Promise<readonly ShownFilter[]> {
  return await Promise.all(
    filters.map(async (filter) => ({
      ...filter,
      choices: typeof filter.choices === 'function' ? await filter.choices(caller) : filter.choices,
    })),
  );
}

function listQuery({ columns }: AdminResource, filters: readonly ShownFilter[], queryText: string): AdminQuery {
  const sent = new URLSearchParams(queryText);
  const { q, sort, page } = AdminListQuery.parse(Object.fromEntries(sent));
  const chosen = filters.flatMap(({ name, choices }) => {
    const value = sent.get(FILTER_PREFIX + name);
    return choices.some((choice) => choice.value === value) ? [[name, value ?? '']] : [];
  });
  const column = sort.replace(/^-/, '');
  const isSortable = columns.some((each) => each.name === column && each.isSortable === true);
  const number = /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
  return {
    search: q.trim(),
    filters: Object.fromEntries(chosen) as Readonly<Record<string, string>>,
    sort: isSortable ? { column, isDescending: sort.startsWith('-') } : undefined,
    limit: PAGE_ROWS,
    offset: (number - 1) * PAGE_ROWS,
  };
}

interface ShownList {
  readonly done?: string | undefined;
  readonly notices?: readonly string[];
  readonly refusal?: Refusal;
}

/** Response with a list: the requested list or, after a form, the list from which the reader came. */
export async function showList(view: AdminView, found: AdminResource, shown: ShownList = {}): Promise<Reply> {
  const { input, deps, reader, caller } = view;
  const { done: sent, notices = [], refusal } = shown;
  const form = openForm(input, deps);
  const filters = await shownFilters(found, caller);
  const query = listQuery(found, filters, reader.list?.query ?? '');
  const [page, parts] = await Promise.all([found.list(query, caller), found.listParts?.(caller) ?? []]);
  const facts = {
    resource: found,
    filters,
    query,
    page,
    parts,
    token: form.token,
    notices: [...notices, ...doneSentence(view, found, sent)],
    problems: refusal?.outcome.problems ?? [],
  };
  const headers = { ...refusal?.headers, ...form.headers };
  return await screenReply(refusal?.status ?? 200, listPage(reader, facts), headers);
}

function doneSentence({ reader }: AdminView, { actions = [] }: AdminResource, sent = ''): readonly string[] {
  const { say } = reader;
  if (sent === 'add') return [say('isAdded')];
  if (sent === 'change') return [say('isChanged')];
  const action = actions.find(({ name }) => name === sent);
  return action === undefined ? [] : [say('isDone', { action: textFor(reader, action.label) })];
}

const showAdminAdd = operation({
  ...PAGE_ROW,
  id: 'showAdminAdd',
  method: 'GET',
  path: paths.adminAdd,
  summary: 'Form of a new entry in the admin, for superusers; texts in the query fill it',
  params: ResourceParams,
  query: AdminScreenQuery,
  examples: [{ name: 'of a visitor', params: { resource: 'users' }, status: 303 }],
  handler: (input, deps) =>
    forAdmin(input, deps, (view) =>
      withResource(view, input.params.resource, async (found) => {
        const { add } = found;
        if (add === undefined) return await noPage(view);
        const texts = { ...(await add.initial?.(view.caller)), ...broughtTexts(add.fields, input) };
        return await showAdd(view, found, { texts });
      }),
    ),
});

/** Response with the form of a new row. */
export async function showAdd(
  { input, deps, reader, caller }: AdminView,
  found: AdminResource,
  { texts, refusal }: { readonly texts: AdminTexts; readonly refusal?: Refusal },
): Promise<Reply> {
  const { add } = found;
  if (add === undefined) throw new Error(`admin: ${found.name} has no form for new entries`);
  const form = openForm(input, deps);
  const parts = (await add.parts?.(caller)) ?? [];
  const outcome = refusal?.outcome ?? NO_OUTCOME;
  const page = addPage(reader, { resource: found, add, token: form.token, texts, outcome, parts });
  return await screenReply(refusal?.status ?? 200, page, { ...refusal?.headers, ...form.headers });
}

const showAdminRow = operation({
  ...PAGE_ROW,
  id: 'showAdminRow',
  method: 'GET',
  path: paths.adminRow,
  summary: 'Page of one entry in the admin, for superusers: facts, form, actions and history',
  params: RowParams,
  query: AdminRowQuery,
  examples: [{ name: 'of a visitor', params: { resource: 'users', id: '1' }, status: 303 }],
  handler: (input, deps) =>
    forAdmin(input, deps, (view) =>
      withResource(view, input.params.resource, async (found) => {
        const detail = await found.find?.(input.params.id, view.caller);
        if (detail === undefined) return await noRow(view, found, input.params.id);
        const { was, done: sent } = input.query;
        return await showRow(view, found, {
          id: input.params.id,
          detail,
          done: sent,
          ...filledRow(view, found, { detail, was }),
        });
      }),
    ),
});

/** Typed texts of a form, and the present texts of its row. */
export interface ComparedTexts {
  readonly fields: readonly AdminField[];
  readonly typed: AdminTexts;
  readonly present: AdminTexts;
}

/** Sentences with the present value of each field whose typed text differs. */
export function presentValues(reader: Reader, { fields, typed, present }: ComparedTexts): FormOutcome['fieldProblems'] {
  const differing = fields.filter((each) => !isSecret(each) && (typed[each.name] ?? '') !== (present[each.name] ?? ''));
  return Object.fromEntries(
    differing.map((each) => [wireName(each.name), [reader.say('nowIs', { value: shownText(reader, each, present) })]]),
  );
}

/**
 * Members of `ShownRow` if the address has texts for the form; otherwise empty. The page lists each field that differs
 * from the row, because the link may come from another person.
 */
function filledRow(
  { reader, input }: AdminView,
  resource: AdminResource,
  { detail, was }: { readonly detail: AdminDetail; readonly was: string | undefined },
): Partial<ShownRow> {
  const fields = changeable(resource);
  const brought = broughtTexts(fields, input);
  if (Object.keys(brought).length === 0) return {};
  const texts = { ...detail.texts, ...brought };
  const fieldProblems = presentValues(reader, { fields, typed: texts, present: detail.texts });
  const refusal = {
    status: 200,
    headers: {},
    outcome: { ...NO_OUTCOME, problems: [reader.say('notSavedYet')], fieldProblems },
  };
  return { texts, was, refusal };
}

interface ShownRow {
  readonly id: string;
  readonly detail: AdminDetail;
  readonly texts?: AdminTexts;
  readonly done?: string | undefined;
  readonly notices?: readonly string[];
  readonly was?: string | undefined;
  readonly refusal?: Refusal;
  readonly problems?: readonly string[];
  readonly parts?: readonly Html[];
}

/** Response with the page of a row. */
export async function showRow(view: AdminView, found: AdminResource, shown: ShownRow): Promise<Reply> {
  const { input, deps, reader } = view;
  const { id: rowId, detail, texts = detail.texts, done: sent, notices = [], refusal, problems = [], parts } = shown;
  const form = openForm(input, deps);
  const refused = refusal?.outcome ?? NO_OUTCOME;
  const outcome = {
    ...refused,
    notices: [...notices, ...doneSentence(view, found, sent)],
    problems: [...refused.problems, ...problems],
  };
  // An error of the history must not hide a notice, because a notice can contain a secret that is shown only once.
  const history = await historyOf(view, found, rowId).catch((error: unknown) => {
    if (notices.length === 0) throw error;
    return undefined;
  });
  const page = rowPage(reader, {
    resource: found,
    id: rowId,
    detail,
    token: form.token,
    texts,
    was: shown.was,
    outcome,
    history,
    parts,
  });
  return await screenReply(refusal?.status ?? 200, page, { ...refusal?.headers, ...form.headers });
}

/** Operations that show pages of the admin. */
export const adminPageOperations = [
  showAdmin,
  showAdminList,
  showAdminAdd,
  showAdminRow,
] satisfies readonly Operation[];
