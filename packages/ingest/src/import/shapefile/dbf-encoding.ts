import iconv from 'iconv-lite';

/** Decoder for the texts of a .dbf. */
export interface DbfTexts {
  readonly decode: (bytes: Uint8Array) => string;
  /** Sentence for the report; undefined if all texts so far were decoded reliably. */
  readonly doubt: () => string | undefined;
}

/** Language drivers (byte 29 of a .dbf) of each code page, as in GDAL (`ogrshapelayer.cpp`). */
const DRIVERS: Readonly<Record<number, readonly number[]>> = {
  437: [1, 11, 13, 15, 17, 21, 24, 25, 27],
  737: [106, 134],
  850: [2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55],
  852: [31, 34, 35, 64, 100, 135],
  857: [107, 136],
  860: [36],
  861: [103],
  863: [28, 108],
  865: [8, 23, 102],
  866: [38, 101],
  874: [80, 124],
  932: [19, 123],
  936: [77, 122],
  949: [78, 121],
  950: [79, 120],
  1250: [200],
  1251: [201],
  1252: [3, 87, 88, 89],
  1253: [203],
  1254: [202],
  1257: [204],
  10000: [4],
  10007: [150],
  10029: [151],
};

/** Names in iconv-lite that do not contain the number of the code page. */
const PAGES: Readonly<Record<number, string>> = {
  10000: 'macroman',
  10006: 'macgreek',
  10007: 'maccyrillic',
  10029: 'maccenteuro',
  10081: 'macturkish',
  20866: 'koi8r',
  51932: 'eucjp',
  51949: 'euckr',
  54936: 'gb18030',
  65001: 'utf8',
};

/** Number of a code page, also in ESRI's spellings: `ANSI 1251`, `OEM 850`, `88595` or `28595` for ISO 8859-5. */
const PAGE = /^(?:ansi|oem|cp|ms|ibm|win|windows|xcp)?(\d{3,6})$/;
const ISO = /^(?:iso)?8859(\d{1,2})$/;
/** Allowed names of encodings. iconv-lite also accepts names that are no text encodings, such as `hex`. */
const TEXT =
  /^(utf8|ascii|cp\d+|iso8859\d+|latin\d+|mac[a-z]+|koi8[a-z]+|gb[k\d]+|big5[a-z]*|s(hift)?jis|euc(jp|kr)|tis620)$/;
/** Encodings with several bytes per character, in which a text may be valid UTF-8 by chance. */
const SEVERAL_BYTES = /^(cp9[345]\d?|gb|big5|s(hift)?jis|euc)/;

/**
 * Creates the decoder for the encoding in the .cpg, or for the driver in the .dbf. Valid UTF-8 is decoded as UTF-8,
 * unless the encoding has several bytes per character.
 */
export function dbfTexts(cpg: string | undefined, driver: number): DbfTexts {
  const named = cpg?.replace(/^\u{ef}\u{bb}\u{bf}|\0.*$/gsu, '').trim() ?? '';
  const name = named === '' ? encodingOfDriver(driver) : encodingOf(named);
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let isDoubtful = false;
  const decodeOther = (bytes: Uint8Array): string => {
    const text = iconv.decode(bytes, name ?? 'cp1252');
    isDoubtful ||= name === undefined || text.includes('\u{fffd}');
    return text;
  };
  const decode = (bytes: Uint8Array): string => {
    if (name !== undefined && SEVERAL_BYTES.test(name)) return decodeOther(bytes);
    try {
      return utf8.decode(bytes);
    } catch {
      return decodeOther(bytes);
    }
  };
  return {
    decode,
    doubt: () => (isDoubtful ? doubtOf(name, named === '' ? `language driver ${driver}` : named) : undefined),
  };
}

function doubtOf(name: string | undefined, named: string): string {
  const remedy = 'Write the Shapefile again with `ogr2ogr -lco ENCODING=UTF-8`, or add a .cpg that names its encoding';
  const quoted = JSON.stringify(named.slice(0, 40));
  return name === undefined
    ? `The encoding of the texts (${quoted}) is unknown; from this row on, texts that are not UTF-8 are read as windows-1252. ${remedy}`
    : `From this row on, texts have bytes that are not valid in the encoding ${quoted}; they are stored as \u{fffd}. ${remedy}`;
}

function encodingOfDriver(driver: number): string | undefined {
  const [page] = Object.entries(DRIVERS).find(([, drivers]) => drivers.includes(driver)) ?? [];
  return page === undefined ? undefined : encodingOfPage(Number(page));
}

function encodingOf(named: string): string | undefined {
  const driver = /^LDID\/(\d{1,3})$/i.exec(named)?.[1];
  if (driver !== undefined) return encodingOfDriver(Number(driver));
  const plain = named.toLowerCase().replace(/[^a-z0-9]/g, '');
  const part = ISO.exec(plain)?.[1];
  if (part !== undefined) return known(`iso8859${part}`);
  const page = PAGE.exec(plain)?.[1];
  return page === undefined ? known(plain) : encodingOfPage(Number(page));
}

/** Encoding of a code page; the pages 28591 to 28605 are the parts of ISO 8859. */
const encodingOfPage = (page: number): string | undefined =>
  known(PAGES[page] ?? (page > 28_590 && page < 28_606 ? `iso8859${page - 28_590}` : `cp${page}`));

const known = (name: string): string | undefined => (TEXT.test(name) && iconv.encodingExists(name) ? name : undefined);
