/** Names of conf members whose values may not be shown. */
const SECRET = /token|secret|password|passwd|credential|api_?key|authorization/i;
/** Shorter values would blank out ordinary words. */
const SHORTEST = 6;

/** A filter that replaces the values of a conf's secret members by `***`: a task may have printed them. */
export function withoutSecretsOf(conf: unknown): (text: string) => string {
  const secrets = [...secretsIn(conf, 0)].sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

function* secretsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth > 8) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') {
      if (SECRET.test(name) && member.length >= SHORTEST) yield member;
    } else yield* secretsIn(member, depth + 1);
  }
}
