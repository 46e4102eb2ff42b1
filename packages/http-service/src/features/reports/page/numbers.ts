import type { Language } from '../../../wire/languages.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-IN', hi: 'hi-IN' };

/** A number as readers of a language write it, with this many decimals at most; '' where it is not known. */
export function numberText(value: number | null, language: Language, decimals: number): string {
  return value === null ? '' : FORMATS[language](decimals).format(value);
}

type Formats = (decimals: number) => Intl.NumberFormat;

/** Making a format takes longer than using it a hundred times. */
function formats(locale: string): Formats {
  const made = new Map<number, Intl.NumberFormat>();
  return (decimals) => {
    const format = made.get(decimals) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: decimals });
    made.set(decimals, format);
    return format;
  };
}

const FORMATS: Readonly<Record<Language, Formats>> = { en: formats(LOCALES.en), hi: formats(LOCALES.hi) };
