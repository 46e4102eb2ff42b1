import type { ServiceDeps } from '../deps.ts';
import type { Reply } from '../seam/reply.ts';
import { checked } from '../wire/checked.ts';
import { CallInput } from './call-input.ts';
import type { Call } from './call.ts';
import { checkReply } from './check-reply.ts';
import { draftOf, type Draft } from './draft.ts';
import type { Encodings } from './encodings.ts';
import { decodeParams } from './router.ts';
import type { RowPlan } from './row-plan.ts';

/** What answering needs beside the call. */
export interface AnswerOptions {
  readonly deps: ServiceDeps;
  /** Check every answer against its row; for tests and development. */
  readonly validateResponses: boolean;
  readonly encodings: Encodings;
}

const ANONYMOUS = { kind: 'anonymous' } as const;

/**
 * Answers by a row: who calls, what was sent, its handler. A promise only where something has to be waited for: each one on this
 * way costs a request a quarter of a microsecond. Throws, or rejects with, what the row's failures are worded from.
 */
export function answer(plan: RowPlan, call: Call, options: AnswerOptions): Draft | Promise<Draft> {
  if (plan.isOpen && plan.readBody === undefined) return handle(plan, { call, principal: ANONYMOUS }, options);
  return answerLater(plan, call, options);
}

async function answerLater(plan: RowPlan, call: Call, options: AnswerOptions): Promise<Draft> {
  // Public rows, the hot ones, wait for nobody.
  const caller = plan.isOpen ? ANONYMOUS : await call.authenticate(plan, options.deps);
  // Awaited here: a promise that is returned as it is takes two turns more.
  if (plan.readBody === undefined) return await handle(plan, { call, principal: caller }, options);
  // The address before the body: a bad parameter is told without waiting for bytes.
  const address = addressOf(plan, call);
  const found = { principal: caller, atMs: options.deps.clock.now().getTime() };
  const body = plan.checkBody(await call.readBody(plan));
  const principal = await call.principalAfterBody(found, options.deps);
  return await handle(plan, { call, principal, body, address }, options);
}

interface Given {
  readonly call: Call;
  readonly principal: unknown;
  readonly body?: unknown;
  readonly address?: Address;
}

function handle(plan: RowPlan, given: Given, options: AnswerOptions): Draft | Promise<Draft> {
  const { row } = plan;
  const { call, principal, body, address = addressOf(plan, call) } = given;
  const { request, requestId, path } = call;
  const input = new CallInput({
    request,
    principal,
    params: address.params,
    query: address.query,
    body,
    path,
    queryText: call.query,
    requestId,
  });
  const finish = (reply: Reply): Draft | Promise<Draft> => {
    if (options.validateResponses) checkReply(row, reply);
    return draftOf(plan, reply, { request, encodings: options.encodings });
  };
  const reply = row.handler(input, options.deps);
  return reply instanceof Promise ? reply.then(finish) : finish(reply);
}

/** What a request's address says, checked. */
interface Address {
  readonly params: unknown;
  readonly query: unknown;
}

function addressOf({ row, readQuery }: RowPlan, { match, query }: Call): Address {
  return {
    params: row.params === undefined ? undefined : checked(row.params, decodeParams(match?.params)),
    query: readQuery(query),
  };
}
