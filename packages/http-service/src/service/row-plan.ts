import { policiesOf, type Policy } from '@headwater/identity';
import type { CorsRule, Operation } from '../rows/operation.ts';
import { parseQuery } from '../reading/query.ts';
import { createBodyReader, type BodyReader } from '../reading/read-body.ts';
import { bodySpec } from '../seam/row-body.ts';
import { checked } from '../wire/checked.ts';
import { cacheQueries } from './query-cache.ts';

/** Defaults for rows without their own settings. */
export interface RowDefaults {
  /** Body limit, bytes. */
  readonly bodyLimit: number;
}

/** A row with everything that can be computed before the first request. */
export interface RowPlan {
  readonly row: Operation;
  readonly policies: readonly Policy[];
  /** True if the row is public only: no authentication, no waiting. */
  readonly isOpen: boolean;
  /** Headers that its policies read, spelled for `Vary`. */
  readonly credentialHeaders: readonly string[];
  /** True if a policy reads a member of the body. */
  readonly asksBody: boolean;
  /** Parses a query text into the handler's input. Throws `validation` and `parse`. */
  readonly readQuery: (text: string) => unknown;
  /** Undefined if the row has no body. */
  readonly readBody: BodyReader | undefined;
  /** Validates the body that was read. Throws `validation`. */
  readonly checkBody: (raw: unknown) => unknown;
  readonly cors: CorsRule;
}

/** Compiles a row. Throws if a policy is unknown. */
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
    readQuery: row.cachesQueries === true ? cacheQueries(queryReader(row)) : queryReader(row),
    readBody: spec === undefined ? undefined : createBodyReader(spec, bodyLimit),
    // A missing body is an empty form, so that each missing field is reported.
    checkBody: spec?.kind === 'fields' ? (raw) => checked(spec.schema, raw === undefined ? {} : raw) : (raw) => raw,
    cors: row.cors ?? (isOpen && row.method === 'GET' ? 'any' : 'configured'),
  };
}

function queryReader({ query: schema, foldQueryCase }: Operation): (text: string) => unknown {
  return (text) => {
    // Parsed even if the row reads no query, so that all rows refuse malformed and repeated parameters.
    const values = parseQuery(text, foldQueryCase === true);
    return schema === undefined ? undefined : checked(schema, values);
  };
}

/** Header names, spelled as in the policy's scheme if it has one; cookies are one header. */
function headersOf({ places, scheme }: Policy): readonly string[] {
  return places.flatMap((place) => {
    if (place.in === 'body') return [];
    if (place.in === 'cookie') return ['Cookie'];
    const isOfScheme = scheme?.type === 'apiKey' && scheme.name.toLowerCase() === place.name;
    return [isOfScheme ? scheme.name : place.name === 'authorization' ? 'Authorization' : place.name];
  });
}
