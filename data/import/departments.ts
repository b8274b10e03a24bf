/** What a person is known for: the department in which they have most nominations, the earliest where several tie. */

interface Appearance {
  nominee: number;
  ceremony: number;
  department: string;
}

/** Nominee → department. Appearances of one ceremony count in the order in which they are given. */
export function departmentsOf(appearances: readonly Appearance[]): Map<number, string> {
  // A Map keeps the order of insertion, so the first of the highest counts is the earliest.
  const counts = new Map<number, Map<string, number>>();
  for (const { nominee, department } of [...appearances].sort((a, b) => a.ceremony - b.ceremony)) {
    const own = counts.get(nominee) ?? new Map<string, number>();
    own.set(department, (own.get(department) ?? 0) + 1);
    counts.set(nominee, own);
  }
  return new Map([...counts].map(([nominee, own]) => [nominee, mostFrequent(own)]));
}

function mostFrequent(counts: ReadonlyMap<string, number>): string {
  const highest = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === highest)![0];
}
