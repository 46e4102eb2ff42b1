/**
 * Returns the number of edits (insert, delete, replace, swap of neighbours) between two texts, by optimal string
 * alignment.
 */
export function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replace = cell(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = swapped ? cell(older, column - 2) + 1 : Infinity;
      next.push(Math.min(cell(last, column) + 1, cell(next, column - 1) + 1, replace, swap));
    }
    older = last;
    last = next;
  }
  return cell(last, b.length);
}

/** Returns 1 - distance / length of the longer text: 1 for equal texts, 0 for texts with nothing in common. */
export function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 1 : 1 - editDistance(a, b) / longer;
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
