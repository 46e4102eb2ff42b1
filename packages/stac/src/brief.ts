/** JSON of a value, cut at 80 characters; `absent` for undefined. */
export function brief(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  const text =
    typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol'
      ? typeof value
      : safeJson(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function safeJson(value: unknown): string {
  try {
    const text: unknown = JSON.stringify(value);
    return typeof text === 'string' ? text : 'absent';
  } catch {
    return 'a value that JSON cannot hold';
  }
}
