import { z } from 'zod';

// The generator that exists pastes what it reads into a Python program as it is. These rules are what it bears, found by running it.

/** Who may see a workflow: the group label of its definition. */
export const GROUPS = ['corestack', 'drone', 'bioacoustic'] as const;
/** Forms of a dataset. */
export const FORMATS = ['GEEAsset', 'GeoServerLayer', 'GeoJSON', 'CSV'] as const;
/** Types of an algorithm's parameter. */
export const PARAMETER_TYPES = ['string', 'integer', 'array'] as const;

/** Id of an algorithm or dataset: it becomes part of a Python name. */
export const nodeId = matching(/^[A-Za-z0-9_]{1,200}$/, {
  problem: 'becomes part of a Python name and cannot',
  remedy: 'write 1 to 200 letters A-Z, a-z, digits and _',
});

/** Id of a workflow; hyphens are allowed. The generator adds `_mixed`, and 250 characters are the orchestrator's limit. */
export const workflowId = matching(/^[A-Za-z0-9_-]{1,200}$/, {
  problem: 'is no id of a workflow',
  remedy: 'write 1 to 200 letters A-Z, a-z, digits, _ and -',
});

/** Name of a parameter; `execution_id` is the generator's own. */
export const parameterName = matching(/^(?!execution_id$)[A-Za-z_][A-Za-z0-9_]{0,199}$/, {
  problem: 'is no name of a parameter (execution_id is added by the generator)',
  remedy: 'write letters, digits and _, not beginning with a digit',
});

/** A text that is pasted between apostrophes, and in a docstring, where a " at its end would join the three that close it. */
export const pythonText = matching(/^(?!.*("""|"$))[^'\\\p{Cc}\u2028\u2029\p{Cs}]{1,2000}$/u, {
  problem: `is pasted into a Python text unescaped and has a ', a \\, """, a " at its end, a line break or a control character, or not 1 to 2000 characters`,
  remedy: 'leave these characters out, write it on one line',
});

/** A version: a text, or a number that is taken as the text it is shown as. */
export const version = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), pythonText);

/**
 * Scheme and host without credentials, then a path and a query, but no fragment. Written out, because `URL` mends what Python's
 * readers of addresses do not (`http:host`, `http:///host`) and does not show an empty fragment.
 */
const WHOLE_ADDRESS = /^https?:\/\/[^/?@#\s"'\\<>${}\p{Cc}]+([/?][^#\s"'\\<>${}\p{Cc}]*)?$/iu;

/** An address that is taken literally: no variable in it is replaced. */
export const address = z.string().superRefine((value, context) => {
  if (WHOLE_ADDRESS.test(value) && URL.canParse(value)) return;
  context.addIssue(
    faulty(
      'is no whole http or https address, or has credentials, a fragment (#), quotation marks, blanks or a variable in it',
      'write the address itself, such as http://headwater:8000/api/export-asset',
    ),
  );
});

/** A day, `YYYY-MM-DD`; a time of that day is dropped. */
export const day = z.preprocess(
  (value) => (value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString().slice(0, 10) : value),
  z.string().superRefine((value, context) => {
    const [date = ''] = value.split(/[T ]/);
    const time = Date.parse(`${date}T00:00:00Z`);
    if (/^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)) return;
    context.addIssue(faulty('is no day', 'write it as 2026-01-31'));
  }),
);

/** Image of a container, as the generator's command takes it. */
export const image = matching(/^[A-Za-z0-9][\w./:@-]{0,400}$/, {
  problem: 'is no reference of an image',
  remedy: 'write it as registry/name:tag',
});

/** Python module, `package.module`. */
export const moduleName = matching(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/, {
  problem: 'is no name of a Python module',
  remedy: 'write it as package.module',
});

/** Python function. */
export const functionName = matching(/^[A-Za-z_]\w*$/, {
  problem: 'is no name of a Python function',
  remedy: 'write its name alone',
});

/** Path of a folder that is mounted. */
export const path = matching(/^[^'"\\:\p{Cc}]{1,1000}$/u, {
  problem: `is no path, or has a quotation mark, a \\, a colon or a line break`,
  remedy: 'write it as /data/assets',
});

/** Texts that match; the others are told with the remedy. */
export function matching(form: RegExp, { problem, remedy }: { readonly problem: string; readonly remedy: string }) {
  return z.string().superRefine((value, context) => {
    if (!form.test(value)) context.addIssue(faulty(problem, remedy));
  });
}

/** An issue that carries its remedy. */
export const faulty = (message: string, remedy: string) => ({ code: 'custom' as const, message, params: { remedy } });
