import { policiesOf, type Policy } from '@headwater/identity';
import type { CorsRule, Operation } from '../rows/operation.ts';
import { parseQuery } from '../reading/query.ts';
import { createBodyReader, type BodyReader } from '../reading/read-body.ts';
import { bodySpec } from '../seam/row-body.ts';
import { checked } from '../wire/checked.ts';
import { keepQueries } from './kept-queries.ts';

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
  /** Headers that its policies read, as `Vary` names them. */
  readonly credentialHeaders: readonly string[];
  /** A policy names a member of the body. */
  readonly asksBody: boolean;
  /** Text of a query -> what the handler gets of it. Throws `validation` and `parse`. */
  readonly readQuery: (text: string) => unknown;
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
    credentialHeaders: [...new Set(policies.flatMap(headersOf))],
    asksBody: policies.some(({ places }) => places.some((place) => place.in === 'body')),
    readQuery: row.keepsQueries === true ? keepQueries(queryReader(row)) : queryReader(row),
    readBody: spec === undefined ? undefined : createBodyReader(spec, bodyLimit),
    // No body is an empty form, so that each missing field is named.
    checkBody: spec?.kind === 'fields' ? (raw) => checked(spec.schema, raw === undefined ? {} : raw) : (raw) => raw,
    cors: row.cors ?? (isOpen && row.method === 'GET' ? 'any' : 'configured'),
  };
}

function queryReader({ query: schema, foldQueryCase }: Operation): (text: string) => unknown {
  return (text) => {
    // Parsed even where no row reads it: a malformed or repeated parameter is refused everywhere alike.
    const values = parseQuery(text, foldQueryCase === true);
    return schema === undefined ? undefined : checked(schema, values);
  };
}

/** Names as the policy's scheme writes them, where it has any; cookies are one header. */
function headersOf({ places, scheme }: Policy): readonly string[] {
  return places.flatMap((place) => {
    if (place.in === 'body') return [];
    if (place.in === 'cookie') return ['Cookie'];
    const isOfScheme = scheme?.type === 'apiKey' && scheme.name.toLowerCase() === place.name;
    return [isOfScheme ? scheme.name : place.name === 'authorization' ? 'Authorization' : place.name];
  });
}
