/** The first line of a service or worker that starts, as the logger will write the others; empty for the commands, which are quick. */
export function openingLine(
  args: readonly string[],
  { isTTY, now }: { readonly isTTY: boolean; readonly now: Date },
): string {
  const [command = 'serve'] = args;
  const serves = command === 'serve' || command.startsWith('--');
  if ((!serves && command !== 'worker') || args.includes('--help')) return '';
  const msg = serves ? 'Headwater is starting' : 'The worker is starting';
  const line = { level: 'info', time: now.toISOString(), service: 'headwater', msg };
  return isTTY ? `${now.toTimeString().slice(0, 8)} ${line.msg}\n` : `${JSON.stringify(line)}\n`;
}
