import { expect, it } from 'vitest';
import { ImportNotes } from './import-notes.ts';

it('lists the first thousand refused rows and counts all of them, also if the notes continue an earlier report', () => {
  const notes = new ImportNotes();
  for (let row = 1; row <= 1500; row += 1) notes.refuse({ source: 's', row, problem: 'p' });
  const later = new ImportNotes(notes.report);
  later.refuse({ source: 's', row: 1501, problem: 'p' });
  later.repair({ source: 's', row: 1, repair: 'r' });
  expect(later.report).toMatchObject({ refusedCount: 1501, repairedCount: 1, repaired: [{ row: 1 }] });
  expect(later.report.refused).toHaveLength(1000);
});
