import { http, type HttpHandler } from 'msw';
import type { FakeOrchestrator } from './fake-orchestrator.ts';

/**
 * Handlers of msw (2 or 3) that answer every request to the fake's base address. The fake's `fault` also applies to
 * these requests: a fault can break a connection, or leave a request without a response.
 */
export function orchestratorHandlers(fake: FakeOrchestrator): readonly HttpHandler[] {
  return [http.all(`${fake.baseUrl}/*`, ({ request }) => fake.respond(request))];
}
