/** Headers while an answer is being made. */
export type MutableHeaders = Record<string, string | readonly string[]>;

/** Names a request header in `Vary`, once: caches keep answers apart by it. */
export function addVary(headers: MutableHeaders, name: string): void {
  const { vary } = headers;
  if (vary === undefined || vary.length === 0) headers['vary'] = name;
  else if (!isNamed(String(vary), name)) headers['vary'] = `${String(vary)}, ${name}`;
}

// Most answers vary by few names, most of which are written as they are asked for.
function isNamed(vary: string, name: string): boolean {
  return vary.includes(name) && vary.split(/\s*,\s*/).includes(name);
}
