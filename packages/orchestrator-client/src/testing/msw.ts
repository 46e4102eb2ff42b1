import { http, type HttpHandler } from 'msw';
import type { FakeOrchestrator } from './fake-orchestrator.ts';

/**
 * Handlers of msw (2 or 3) that answer every request to the fake's base address. Requests that break the connection or
 * never get a response behave as the fake's `fault` sets.
 */
export function orchestratorHandlers(fake: FakeOrchestrator): readonly HttpHandler[] {
  return [http.all(`${fake.baseUrl}/*`, ({ request }) => fake.respond(request))];
}
