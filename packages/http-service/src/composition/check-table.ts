import { messageOf } from '@headwater/core';
import type { AnyPipeline } from '@headwater/core';
import { pipelineProblems } from './check-pipelines.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { generateOpenApi, type DocumentFacts } from '../openapi/generate.ts';
import type { Operation } from '../rows/operation.ts';
import { findClashes } from '../service/route.ts';

/**
 * Checks the pipelines and the table of operations, and returns the OpenAPI document. Throws one error with all
 * problems and remedies.
 */
export function checkTable(
  { operations, pipelines }: { readonly operations: readonly Operation[]; readonly pipelines: readonly AnyPipeline[] },
  facts: DocumentFacts,
): OpenApiDocument {
  const clashes = [...pipelineProblems(pipelines), ...findClashes(operations)];
  const document = attempt(() => generateOpenApi(operations, facts));
  if (clashes.length === 0 && typeof document !== 'string') return document;
  const described = typeof document === 'string' ? [document] : [];
  throw new Error(
    [`operations: the table cannot be served`, ...clashes.map((each) => `- ${each}`), ...described].join('\n'),
  );
}

function attempt(make: () => OpenApiDocument): OpenApiDocument | string {
  try {
    return make();
  } catch (error) {
    return messageOf(error);
  }
}
