import { z } from 'zod';

// The generator of DAGs copies values unescaped into a Python program. The rules of this file allow only values that
// are safe there. The rules were found by running the generator.

/** Group labels of a workflow. */
export const GROUPS = ['corestack', 'drone', 'bioacoustic'] as const;
/** Formats of a dataset. */
export const FORMATS = ['GEEAsset', 'GeoServerLayer', 'GeoJSON', 'CSV'] as const;
/** Types of an algorithm's parameter. */
export const PARAMETER_TYPES = ['string', 'integer', 'array'] as const;

/** Id of an algorithm or dataset; part of a Python name. */
export const nodeId = matching(/^[A-Za-z0-9_]{1,200}$/, {
  problem: 'becomes part of a Python name and has characters that a name cannot have',
  remedy: 'write 1 to 200 letters A-Z, a-z, digits and _',
});

/** Id of a workflow; at most 200 characters, because the generator adds `_mixed` and the orchestrator permits 250. */
export const workflowId = matching(/^[A-Za-z0-9_-]{1,200}$/, {
  problem: 'is not an id of a workflow',
  remedy: 'write 1 to 200 letters A-Z, a-z, digits, _ and -',
});

/** Name of a parameter; the generator reserves `execution_id`. */
export const parameterName = matching(/^(?!execution_id$)[A-Za-z_][A-Za-z0-9_]{0,199}$/, {
  problem: 'is not a name of a parameter (execution_id is added by the generator)',
  remedy: 'write letters, digits and _, not beginning with a digit',
});

/**
 * Text that the generator copies between apostrophes (`'`) and into a docstring (`"""`). So its last character must not
 * be `"`.
 */
export const pythonText = matching(/^(?!.*("""|"$))[^'\\\p{Cc}\u2028\u2029\p{Cs}]{1,2000}$/u, {
  problem: `is copied unescaped into a Python text and has a ', a \\, """, a " at its end, a line break or a control character, or does not have 1 to 2000 characters`,
  remedy: 'remove these characters and write it on one line',
});

/** A version; a number becomes a text. */
export const version = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), pythonText);

/**
 * Pattern of a complete address, in addition to the check by `URL`: `URL` accepts addresses that Python rejects
 * (`http:host`), and its `hash` is empty for an address that ends in `#`.
 */
const WHOLE_ADDRESS = /^https?:\/\/[^/?@#\s"'\\<>${}\p{Cc}]+([/?][^#\s"'\\<>${}\p{Cc}]*)?$/iu;

/** An address without variables, because the generator does not replace variables. */
export const address = z.string().superRefine((value, context) => {
  if (WHOLE_ADDRESS.test(value) && URL.canParse(value)) return;
  context.addIssue(
    faulty(
      'is not a complete http or https address, or has credentials, a fragment (#), quotation marks, blanks or a variable in it',
      'write the address itself, such as http://headwater:8000/api/export-asset',
    ),
  );
});

const TIME_OF_DAY = /[T ]\d[\d:.]* *(?:Z|[+-]\d{1,2}(?::?\d\d)?)?$/i;

/** A day, `YYYY-MM-DD`; a time is removed. A `Date`, which has no time zone of its own, gives its day in UTC. */
export const day = z.preprocess(
  (value) => (value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value),
  z
    .string()
    .transform((value) => value.replace(TIME_OF_DAY, ''))
    .superRefine((date, context) => {
      const time = Date.parse(`${date}T00:00:00Z`);
      if (/^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(date))
        return;
      context.addIssue(faulty('is not a day', 'write it as 2026-01-31'));
    }),
);

/** Image of a container, with only characters that are safe in the generator's command. */
export const image = matching(/^[A-Za-z0-9][\w./:@-]{0,400}$/, {
  problem: 'is not an image reference',
  remedy: 'write it as registry/name:tag',
});

/** Name of a Python module, `package.module`. */
export const moduleName = matching(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/, {
  problem: 'is not a name of a Python module',
  remedy: 'write it as package.module',
});

/** Name of a Python function. */
export const functionName = matching(/^[A-Za-z_]\w*$/, {
  problem: 'is not a name of a Python function',
  remedy: 'write only its name',
});

/** Path of a mounted folder. */
export const path = matching(/^[^'"\\:\p{Cc}]{1,1000}$/u, {
  problem: `is not a path, or has a quotation mark, a \\, a colon or a line break`,
  remedy: 'write it as /data/assets',
});

/** Schema of texts that match `form`, with the problem and the remedy of other texts. */
export function matching(form: RegExp, { problem, remedy }: { readonly problem: string; readonly remedy: string }) {
  return z.string().superRefine((value, context) => {
    if (!form.test(value)) context.addIssue(faulty(problem, remedy));
  });
}

/** Creates a schema issue with a remedy. */
export const faulty = (message: string, remedy: string) => ({ code: 'custom' as const, message, params: { remedy } });
