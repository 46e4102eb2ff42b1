/** The first line of a service that starts, as the logger will write the others; empty for the commands, which are quick. */
export function openingLine(
  args: readonly string[],
  { isTTY, now }: { readonly isTTY: boolean; readonly now: Date },
): string {
  const [command = 'serve'] = args;
  const serves = command === 'serve' || command.startsWith('--');
  if (!serves || args.includes('--help')) return '';
  const line = { level: 'info', time: now.toISOString(), service: 'headwater', msg: 'Headwater is starting' };
  return isTTY ? `${now.toTimeString().slice(0, 8)} ${line.msg}\n` : `${JSON.stringify(line)}\n`;
}
