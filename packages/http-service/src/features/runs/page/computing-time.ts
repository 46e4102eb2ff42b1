import type { z } from 'zod';
import type { Say } from '../../../pages/texts.ts';
import type { SceneUsage } from '../schemas/scene-usage.ts';

/** Format with three significant digits, or with one decimal place if this shows more digits. It has no exponent. */
const EECU = new Intl.NumberFormat('en', {
  useGrouping: false,
  maximumSignificantDigits: 3,
  maximumFractionDigits: 1,
  roundingPriority: 'morePrecision',
});

/** Number of EECU-seconds (computing time of Earth Engine) as text. */
export const eecuText = (seconds: number): string => EECU.format(seconds);

type ComputingTime = Pick<z.infer<typeof SceneUsage>, 'eecu_seconds' | 'eecu_final' | 'eecu_reason' | 'tehsils'>;

/**
 * Computing time at a platform, or the reason why the time is unknown. For a sum over tehsils, the text also states how
 * many tehsils were measured.
 */
export function timeText(usage: ComputingTime, say: Say): string {
  const { eecu_seconds: seconds, eecu_final: isFinal, eecu_reason: reason, tehsils } = usage;
  const notes = tehsils === null ? [reason ?? ''] : [...coverage(tehsils, say), tehsils.problem ?? ''];
  const text = notes.filter((note) => note !== '').join(' ');
  if (seconds === null) return say('unknownFor', { reason: text });
  const time = say(isFinal ? 'eecuCount' : 'eecuSoFar', { count: eecuText(seconds) });
  return text === '' ? time : `${time}. ${text}`;
}

function coverage(
  { all, measured, missing, unknown, without }: NonNullable<ComputingTime['tehsils']>,
  say: Say,
): readonly string[] {
  const rest = [
    ['eecuMissing', missing],
    ['eecuUnknown', unknown],
    ['eecuWithout', without],
  ] as const;
  return [
    ...(measured === 0 ? [] : [say('eecuTehsils', { measured: String(measured), all: String(all) })]),
    ...rest.flatMap(([name, count]) => (count === 0 ? [] : [say(name, { count: String(count) })])),
  ];
}
