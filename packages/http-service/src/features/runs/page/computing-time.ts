import type { z } from 'zod';
import type { Say } from '../../../pages/texts.ts';
import type { SceneUsage } from '../schemas/scene-usage.ts';

/** Three digits, or one decimal place if that is more; never an exponent. */
const EECU = new Intl.NumberFormat('en', {
  useGrouping: false,
  maximumSignificantDigits: 3,
  maximumFractionDigits: 1,
  roundingPriority: 'morePrecision',
});

/** Number of EECU-seconds as text. */
export const eecuText = (seconds: number): string => EECU.format(seconds);

type ComputingTime = Pick<z.infer<typeof SceneUsage>, 'eecu_seconds' | 'eecu_final' | 'eecu_reason' | 'tehsils'>;

/** Computing time at a platform, or the reason why it is unknown. A sum over tehsils names the number of tehsils that it covers. */
export function timeText(usage: ComputingTime, say: Say): string {
  const { eecu_seconds: seconds, eecu_final: isFinal, eecu_reason: reason, tehsils } = usage;
  const covered = tehsils === null ? undefined : say('eecuTehsils', countsOf(tehsils));
  if (seconds === null) return say('unknownFor', { reason: covered ?? reason ?? '' });
  const time = say(isFinal ? 'eecuCount' : 'eecuSoFar', { count: eecuText(seconds) });
  return covered === undefined ? time : `${time}. ${covered}`;
}

const countsOf = ({ all, measured, missing, without }: NonNullable<ComputingTime['tehsils']>) => ({
  all: String(all),
  measured: String(measured),
  missing: String(missing),
  without: String(without),
});
