import { policiesOf, type Policy } from '@headwater/core';
import type { CorsRule, Operation } from '../operation.ts';
import { createBodyReader, type BodyReader } from '../reading/read-body.ts';
import { bodySpec } from '../row-body.ts';
import { checked } from '../wire/checked.ts';

/** What holds for rows that say nothing else. */
export interface RowDefaults {
  /** Largest body, bytes. */
  readonly bodyLimit: number;
}

/** A row with everything that is decided before the first request comes. */
export interface RowPlan {
  readonly row: Operation;
  readonly policies: readonly Policy[];
  /** The row is public alone: nobody is asked, nothing is waited for. */
  readonly isOpen: boolean;
  /** A policy names a member of the body. */
  readonly asksBody: boolean;
  /** Undefined where the row has no body. */
  readonly readBody: BodyReader | undefined;
  /** What was read, as the handler gets it. Throws `validation`. */
  readonly checkBody: (raw: unknown) => unknown;
  readonly cors: CorsRule;
}

/** Compiles a row. Throws where a policy is unknown. */
export function planOf(row: Operation, { bodyLimit }: RowDefaults): RowPlan {
  const policies = policiesOf(row.auth);
  const isOpen = row.auth === 'public';
  const spec = row.body === undefined ? undefined : bodySpec(row.body);
  return {
    row,
    policies,
    isOpen,
    asksBody: policies.some(({ places }) => places.some((place) => place.in === 'body')),
    readBody: spec === undefined ? undefined : createBodyReader(spec, bodyLimit),
    // No body is an empty form, so that each missing field is named.
    checkBody: spec?.kind === 'fields' ? (raw) => checked(spec.schema, raw === undefined ? {} : raw) : (raw) => raw,
    cors: row.cors ?? (isOpen && row.method === 'GET' ? 'any' : 'configured'),
  };
}
