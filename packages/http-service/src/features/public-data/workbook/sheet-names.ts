/** Most characters of a sheet's name (Excel specifications and limits). */
const MOST_CHARACTERS = 31;
/** Characters that no sheet's name may have; nor may it begin or end with an apostrophe. */
const REFUSED = /[[\]:*?/\\]|^'|'$/g;

/** Gives each table of a workbook the name of its sheet: its own where a spreadsheet program takes it, and no two alike. */
export function sheetNamer(): (table: string) => string {
  // Excel compares without case, and keeps `History` for itself.
  const used = new Set(['history']);
  return (table) => {
    const name = table.replaceAll(REFUSED, '_').slice(0, MOST_CHARACTERS) || '_';
    let given = name;
    for (let count = 2; used.has(given.toLowerCase()); count += 1) {
      given = `${name.slice(0, MOST_CHARACTERS - 1 - String(count).length)}~${count}`;
    }
    used.add(given.toLowerCase());
    return given;
  };
}
