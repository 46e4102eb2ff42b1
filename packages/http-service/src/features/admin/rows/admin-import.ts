import { DomainError } from '@headwater/core';
import { isWhollyRefused } from '@headwater/core/imports';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { BODY_ERRORS, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation, urlOf } from '../../../rows/operation.ts';
import { inChosen } from '../../../pages/parts.ts';
import type { ServiceDeps } from '../../../deps.ts';
import { type FormProblem, formProblem, openForm } from '../../../screens/form-check.ts';
import { filled, keptAddress } from '../../../screens/kept-form.ts';
import {
  formSentence,
  readerOf,
  REFUSED_PAGE,
  SCREEN_PAGE,
  SCREEN_ROW,
  screenReply,
  seeOther,
  TO_ANOTHER_PAGE,
} from '../../../screens/replies.ts';
import type { Reply } from '../../../seam/reply.ts';
import { fieldsBody, type Part, partsBody } from '../../../seam/row-body.ts';
import { paths } from '../../../wire/paths.ts';
import { badMember } from '../../../wire/request-error.ts';
import { textOrNone } from '../../../wire/text.ts';
import { LANGUAGES } from '../../../wire/words.ts';
import {
  type ImportCall,
  importFile,
  type ImportOutcome,
  importUpload,
  type Uploads,
} from '../../runs/handlers/import-upload.ts';
import type { Upload } from '../../../seam/uploads.ts';
import { refusedFormPage } from '../../sign-in/page/sign-in-page.ts';
import {
  type AdminInput,
  type AdminView,
  beforeAdminForm,
  broughtTexts,
  forAdmin,
  forAdminForm,
  keptTexts,
  refusalOf,
  type Refusal,
} from '../handlers/admin-request.ts';
import { changesOf, noteDeed } from '../handlers/audit-log.ts';
import { type DoneImport, importFields, importPage } from '../page/import-page.ts';
import { NO_OUTCOME } from '../page/row-page.ts';
import { placeCounts } from '../resources/places.ts';
import type { AdminTexts } from '../../../seam/admin-resource.ts';

const RESOURCE = 'places';
const REFUSED_STATUSES = [400, 404, 409, 413, 415, 422, 429, 500, 503, 504, 507] as const;
const NO_FILE =
  'The checked file is no longer kept, or another process of the service keeps it; choose the file and send it again.';

const PAGE_ROW = {
  ...SCREEN_ROW,
  responses: {
    200: SCREEN_PAGE,
    303: TO_ANOTHER_PAGE,
    403: REFUSED_PAGE,
    ...Object.fromEntries(REFUSED_STATUSES.map((status) => [status, REFUSED_PAGE])),
  },
} as const;

type SentInput = AdminInput & { readonly signal: AbortSignal };

interface Shown {
  readonly texts?: Upload['fields'];
  readonly refusal?: Refusal;
  readonly done?: DoneImport;
  readonly kept?: string | undefined;
}

async function show(
  { input, deps, reader }: AdminView,
  { texts = {}, refusal, done, kept }: Shown = {},
): Promise<Reply> {
  const form = openForm(input, deps);
  const page = importPage(reader, {
    token: form.token,
    importers: deps.imports?.importers,
    below: deps.admin.find(({ name }) => name === RESOURCE),
    texts,
    outcome: refusal?.outcome ?? NO_OUTCOME,
    done,
    kept,
  });
  return await screenReply(refusal?.status ?? 200, page, { ...refusal?.headers, ...form.headers });
}

const showImport = operation({
  ...PAGE_ROW,
  id: 'showAdminImport',
  method: 'GET',
  path: paths.adminImport,
  summary: 'Form that imports a file of boundaries or data, for superusers; texts in the query fill it',
  query: z.object({
    lang: z.enum(LANGUAGES).optional().catch(undefined).describe('Language; default: by `Accept-Language`.'),
    checked: textOrNone(200).optional().catch(undefined).describe('Id of a checked file that can be imported.'),
  }),
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'of a visitor', status: 303 }],
  handler: (input, deps) =>
    forAdmin(input, deps, (view) => {
      const texts = broughtTexts(importFields(deps.imports?.importers ?? []), input);
      return show(view, { texts, kept: input.query.checked });
    }),
});

function fieldsOf({ token: _token, kind: _kind, dry_run: dryRun, ...sent }: Upload['fields']): Upload['fields'] {
  const filled = Object.entries(sent).filter(([, text]) => text.trim() !== '');
  return { ...Object.fromEntries(filled), dry_run: dryRun === 'on' ? 'true' : 'false' };
}

function callOf({ input, deps, caller }: AdminView, uploads: Uploads): Omit<ImportCall, 'keep' | 'signal'> {
  if (deps.imports === undefined)
    throw new DomainError('unavailable', 'This service accepts no uploads; use `headwater import` on its machine.');
  return {
    uploads,
    imports: deps.imports,
    ownerId: caller.principal.user.id,
    kindOf: ({ kind = '' }) => kind,
    fieldsOf,
    // The session may have ended during the upload.
    recheck: async () => {
      const { headers, method, remoteAddress } = input;
      const session = await deps.screens.check.of({ headers, method, remoteAddress, url: urlOf(input) });
      if (session?.user.isSuperuser !== true || session.user.id !== caller.principal.user.id)
        throw new DomainError(
          'forbidden',
          'Your session as a superuser ended while the file was read; sign in and send the file again.',
        );
    },
  };
}

async function receive(
  view: AdminView & { readonly input: SentInput },
  parts: AsyncIterable<Part>,
  uploads: Uploads,
): Promise<Reply> {
  const { input, deps, reader, caller } = view;
  let fields: Upload['fields'] = {};
  let problem: ReturnType<typeof formProblem>;
  let id: string | undefined;
  try {
    const call = callOf(view, uploads);
    const before = await placeCounts(deps.stores);
    const outcome = await importUpload(parts, {
      ...call,
      signal: input.signal,
      kindOf: (sent) => {
        fields = sent;
        problem = formProblem(input, deps, sent['token'] ?? '');
        if (problem !== undefined)
          throw new DomainError(
            'forbidden',
            'The token of the form is wrong; open the page of the form again and send it from there.',
          );
        return call.kindOf(sent);
      },
      keep: async (upload) => {
        const { ownerId, imports } = call;
        try {
          id = await imports.checkedUploads.keep(upload, { ownerId, scratchDir: imports.scratchDir });
        } catch (error) {
          // The error is not thrown, because the check has succeeded. The report then has no button to import the file.
          deps.logger.error({ error: String(error) }, 'a checked upload could not be kept for its import');
        }
      },
    });
    return await shownOutcome(view, outcome, { texts: textsOf(fields), id, before });
  } catch (error) {
    if (problem !== undefined) return await refuse(view, problem, importAddress(view, fields));
    const refusal = refusalOf(reader, error, importFields(deps.imports?.importers ?? []));
    deps.logger.info(
      { user: caller.principal.user.id, status: refusal.status },
      'an upload to the import page below /admin/ was refused',
    );
    return await show(view, { texts: textsOf(fields), refusal });
  }
}

function textsOf({ token: _token, ...fields }: Upload['fields']): Upload['fields'] {
  return { dry_run: '', ...fields };
}

async function refuse({ reader }: Pick<AdminView, 'reader'>, problem: FormProblem, back: string): Promise<Reply> {
  const sentence = formSentence(reader.say, problem);
  return await screenReply(403, refusedFormPage(reader, { sentence, back: inChosen(reader, reader.prefix + back) }));
}

function importAddress({ deps }: Pick<AdminView, 'deps'>, fields: Upload['fields']): string {
  const known = importFields(deps.imports?.importers ?? []);
  return keptAddress(paths.adminImport, { typed: keptTexts(known, { body: fields, queryText: '' }) });
}

const KEPT_MS = 2000;

/** Sends a visitor to the sign-in, and then back to the filled form. The file is not read. */
async function toSignIn(input: AdminInput, deps: ServiceDeps, parts: AsyncIterable<Part>): Promise<Reply> {
  const fields: Record<string, string> = {};
  const read = async (): Promise<void> => {
    for await (const part of parts) {
      if (part.kind === 'file') break;
      fields[part.name] = part.value;
    }
  };
  const isRead = await Promise.race([read().then(() => true), setTimeout(KEPT_MS, false, { ref: false })]);
  const { prefix, chosen } = readerOf(input, deps);
  // The address keeps the fields only if all have arrived. If `dry_run` were missing, the form would import the file.
  const page = isRead ? importAddress({ deps }, fields) : paths.adminImport;
  return seeOther(deps.screens.signInAt(inChosen({ chosen }, prefix + page)));
}

async function shownOutcome(
  view: AdminView,
  { report, isTrial }: ImportOutcome,
  {
    texts,
    id,
    before,
  }: { readonly texts: Upload['fields']; readonly id?: string | undefined; readonly before: AdminTexts },
): Promise<Reply> {
  const isRefused = isWhollyRefused(report);
  const resource = view.deps.admin.find(({ name }) => name === RESOURCE);
  if (!isTrial && !isRefused && resource !== undefined) {
    const counts = {
      kind: report.kind,
      stored: String(report.stored),
      unchanged: String(report.unchanged),
      removed: String(report.removed ?? 0),
    };
    // The file is already imported, so the count must not fail the request.
    const after = await placeCounts(view.deps.stores).catch(() => before);
    const changes = { ...changesOf([], {}, counts), ...changesOf([], before, after) };
    await noteDeed(view, { resource, id: 'import', title: report.fileName.slice(0, 200), action: 'import', changes });
  }
  const refusal = isRefused ? { refusal: { status: 400, headers: {}, outcome: NO_OUTCOME } } : {};
  return await show(view, { texts, done: { report, isTrial, id }, ...refusal });
}

const SentFile = z
  .looseObject({
    token: z
      .string()
      .describe('Token against forged requests, from the page of the form. It must come before the file.'),
    kind: z.string().describe('Kind of the file, as in the import by the API. It must come before the file.'),
    dry_run: z.string().optional().describe('`on`: the file is only checked.'),
    file: z.file().describe('The file.'),
  })
  .meta({ id: 'AdminImportForm' });

const NowForm = z
  .object({
    token: textOrNone(200).catch('').default('').describe('Token against forged requests, from the page of the form.'),
    checked: textOrNone(200).catch('').default('').describe('Id of the checked file, from the report.'),
  })
  .meta({ id: 'AdminImportNowForm' });

/** Operations that import files in the admin. */
export function adminImportOperations(uploads: Uploads): readonly Operation[] {
  return [
    showImport,
    operation({
      ...PAGE_ROW,
      id: 'importByAdminForm',
      method: 'POST',
      path: paths.adminImport,
      summary: 'Checks or imports a file of boundaries or data, for superusers',
      description:
        'The form is multipart: `token`, `kind` and the other fields, then `file`. With `dry_run=on` nothing is stored, and the page of the report ' +
        'offers the import of the same file for an hour.',
      body: { ...partsBody(uploads.sizes), documented: SentFile },
      errors: [...BODY_ERRORS, 'unavailable', 'storage_full', 'forbidden'],
      examples: [{ name: 'of a program without a session', status: 403 }],
      // If the session has ended, `toSignIn` reads a multipart form up to its file, so that the user gets back the other
      // fields.
      beforeBody: async (input, deps) => {
        const early = await beforeAdminForm({ back: () => paths.adminImport, keepsTexts: true })(input, deps);
        const isForm = String(input.headers['content-type'] ?? '').startsWith('multipart/form-data');
        return early?.unless !== undefined && isForm ? undefined : early;
      },
      handler: async (input, deps) => {
        if (input.principal.kind === 'anonymous') return await toSignIn(input, deps, input.body);
        return await forAdmin(input, deps, (view) => receive({ ...view, input }, input.body, uploads));
      },
    }),
    operation({
      ...PAGE_ROW,
      id: 'importCheckedByAdminForm',
      method: 'POST',
      path: paths.adminImportNow,
      summary: 'Imports a file that the same superuser has checked before',
      body: fieldsBody(NowForm, { accepts: ['form', 'json'] }),
      errors: [...BODY_ERRORS, 'unavailable', 'storage_full', 'forbidden'],
      examples: [{ name: 'of a program without a session', body: {}, status: 403 }],
      beforeBody: beforeAdminForm({ back: () => paths.adminImport, keepsTexts: true }),
      handler: (input, deps) => {
        const { token, checked } = input.body;
        const act = (view: AdminView): Promise<Reply> => importChecked({ ...view, input }, checked, uploads);
        const back = keptAddress(paths.adminImport, { typed: filled({ checked }) });
        return forAdminForm(input, deps, { body: { token }, back, act });
      },
    }),
  ];
}

async function importChecked(
  view: AdminView & { readonly input: SentInput },
  id: string,
  uploads: Uploads,
): Promise<Reply> {
  const { input, deps, reader } = view;
  let texts: Upload['fields'] = {};
  let isKept = false;
  try {
    const call = callOf(view, uploads);
    const before = await placeCounts(deps.stores);
    const outcome = await call.imports.checkedUploads.take(id, call.ownerId, async (upload, started) => {
      texts = textsOf(upload.fields);
      isKept = true;
      const begin = (): void => {
        isKept = false;
        started();
      };
      const asImport = (sent: Upload['fields']): Upload['fields'] => ({ ...fieldsOf(sent), dry_run: 'false' });
      return await importFile(upload, { ...call, signal: input.signal, fieldsOf: asImport, started: begin });
    });
    if (outcome === undefined) throw badMember('file', NO_FILE);
    return await shownOutcome(view, outcome, { texts, before });
  } catch (error) {
    const refusal = refusalOf(reader, error, importFields(deps.imports?.importers ?? []));
    return await show(view, { texts, refusal, kept: isKept ? id : undefined });
  }
}
