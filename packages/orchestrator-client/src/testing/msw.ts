import { http, type HttpHandler } from 'msw';
import type { FakeOrchestrator } from './fake-orchestrator.ts';

/** Handlers of msw (2 or 3) for the fake's base address. They also produce the faults of `fake.fault`. */
export function orchestratorHandlers(fake: FakeOrchestrator): readonly HttpHandler[] {
  return [http.all(`${fake.baseUrl}/*`, ({ request }) => fake.respond(request))];
}
