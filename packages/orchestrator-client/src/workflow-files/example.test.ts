import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

it("runs the README's example", async () => {
  const example = readFileSync(new URL('example.fixture.ts', import.meta.url), 'utf8');
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  const print = vi.spyOn(console, 'log').mockReturnValue(undefined);
  await import('./example.fixture.ts');
  expect(print.mock.calls).toEqual([['lulc_for_tehsil_mixed', ['job_id', 'run_token', 'start_year']]]);
  print.mockRestore();
});
