/** Which entries are to win: chosen, questioned where there are several, and written. */
import { addChange, type Making } from './making.ts';
import { type CeremonyEntry, hasWon } from './reading.ts';

/** Key of an entry → whether it is to win. */
export type Choices = Readonly<Record<string, boolean>>;

export const isChosen = (entry: CeremonyEntry, choices: Choices): boolean =>
  choices[entry.key] ?? hasWon(entry);

/** The entries whose outcome changes. */
export const changedEntries = (entries: readonly CeremonyEntry[], choices: Choices): CeremonyEntry[] =>
  entries.filter((entry) => changedNominations(entry, choices).length > 0);

const changedNominations = (entry: CeremonyEntry, choices: Choices) =>
  entry.nominations.filter(({ winner }) => entry.key in choices && winner !== choices[entry.key]);

/** Whether there are several winners where there was at most one: a tie, or a mistake. */
export function isTie(entries: readonly CeremonyEntry[], choices: Choices, newWinners = 0): boolean {
  const winners = entries.filter((entry) => isChosen(entry, choices)).length + newWinners;
  return winners > 1 && winners > entries.filter(hasWon).length;
}

/** Adds the writes of the choices. All nominations of an entry win together. */
export async function addChoices(entries: readonly CeremonyEntry[], choices: Choices, making: Making) {
  for (const entry of entries)
    for (const { id } of changedNominations(entry, choices)) {
      await addChange('nominations', id, { winner: choices[entry.key] }, making);
    }
}

interface TieQuestionProps {
  /** Id of the category. */
  id: number;
  onTie: () => void;
  onOne: () => void;
}

/** The question about a second winner. */
export function TieQuestion({ id, onTie, onOne }: TieQuestionProps) {
  return (
    <p class="question" role="status">
      Two winners: is it a tie?{' '}
      <button type="button" id={`tie-${id}`} onClick={onTie}>
        Yes, a tie
      </button>{' '}
      <button type="button" onClick={onOne}>
        No, the last one alone
      </button>
    </p>
  );
}
