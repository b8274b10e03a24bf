/** All entries of a ceremony in one view: the winners are chosen together and saved as one batch. */
import { useEffect, useState } from 'preact/hooks';
import { maxBatchWrites } from '../../../api/contract/limits.ts';
import { recordPath } from '../../../api/contract/routes.ts';
import { count } from '../shared/format.ts';
import { type CeremonyEntry, currentWinner, entriesOfCeremony, refreshRecord } from './candidates.ts';
import { type Notice, NoticeBox, pendingText, useWriting } from './outcome.tsx';
import { SaveForm, unsavedText } from './save-form.tsx';
import { writeBatch } from './service.ts';

interface WinnersEditorProps {
  ceremony: number;
  accessKey: string;
  onWrongKey: () => void;
}

/** A nomination whose outcome changes. */
interface Change {
  id: number;
  winner: boolean;
  label: string;
}

export function WinnersEditor(props: WinnersEditorProps) {
  const { ceremony } = props;
  const [entries, setEntries] = useState<readonly CeremonyEntry[]>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    entriesOfCeremony(ceremony).then(setEntries, () => setFailed(true));
  }, [ceremony]);
  if (hasFailed) return <p role="alert">The nominations of this ceremony cannot be read.</p>;
  if (entries === undefined) return <p role="status">Loading …</p>;
  if (entries.length === 0) return <p role="alert">There are no nominations of ceremony no. {ceremony}.</p>;
  return <Night {...props} entries={entries} onEntries={setEntries} />;
}

interface NightProps extends WinnersEditorProps {
  entries: readonly CeremonyEntry[];
  onEntries: (entries: readonly CeremonyEntry[]) => void;
}

const hasWon = ({ nominations }: CeremonyEntry): boolean => nominations.some(({ winner }) => winner);

/** Entry → whether it is to win, for those that the editor has set to something else than the record has. */
type Choices = ReadonlyMap<string, boolean>;

const changesOf = (entries: readonly CeremonyEntry[], choices: Choices): Change[] =>
  entries.flatMap(({ key, label, nominations }) => {
    const chosen = choices.get(key);
    return nominations
      .filter(({ winner }) => chosen !== undefined && winner !== chosen)
      .map(({ id }) => ({ id, winner: chosen!, label }));
  });

/** What is chosen, and the functions that save it and take it back. */
function useWinners({ ceremony, accessKey, onWrongKey, entries, onEntries }: NightProps) {
  const [choices, setChoices] = useState<Choices>(new Map());
  const [undoable, setUndoable] = useState<readonly Change[]>();
  const { notice, isBusy, carryOut } = useWriting(onWrongKey);

  const choose = (entry: CeremonyEntry, isWinner: boolean): void => {
    const next = new Map(choices);
    if (entry.nominations.every(({ winner }) => winner === isWinner)) next.delete(entry.key);
    else next.set(entry.key, isWinner);
    setChoices(next);
  };

  /** Reads the night again. The choices stay. @returns a notice of the entries whose outcome another editor changed */
  async function overtaken(): Promise<Notice> {
    const now = await entriesOfCeremony(ceremony);
    onEntries(now);
    const before = new Map(entries.map((entry) => [entry.key, hasWon(entry)]));
    const changed = now.filter((entry) => before.get(entry.key) !== hasWon(entry));
    return { kind: 'overtaken', changed: changed.map(({ label }) => label) };
  }

  async function send(changes: readonly Change[], text: string): Promise<Notice> {
    await refreshRecord();
    const pages = await Promise.all(changes.map(({ id }) => currentWinner(id)));
    // A nomination that is already as chosen was changed by another editor.
    if (pages.some(({ winner }, i) => winner === changes[i]!.winner)) return overtaken();
    const writes = changes.map(({ id, winner }, i) => ({
      method: 'PATCH',
      path: recordPath('nominations', id),
      body: { winner },
      if_match: pages[i]!.etag,
    }));
    const outcome = await writeBatch(writes, accessKey);
    if ('kind' in outcome) return outcome.status === 412 ? overtaken() : outcome;
    onEntries(await entriesOfCeremony(ceremony));
    return { kind: 'saved', text: outcome.isPending ? pendingText : text };
  }

  const save = (changes: readonly Change[]) =>
    carryOut(async () => {
      const text = `${count(changes.length, 'nomination')} saved as one batch. Everyone sees it now.`;
      const outcome = await send(changes, text);
      if (outcome.kind === 'saved') {
        setChoices(new Map());
        setUndoable(changes.map((change) => ({ ...change, winner: !change.winner })));
      }
      return outcome;
    });
  const undo = () =>
    carryOut(async () => {
      const outcome = await send(undoable!, 'The batch was undone.');
      if (outcome.kind === 'saved') setUndoable(undefined);
      return outcome;
    });
  return { choices, choose, notice, undoable, isBusy, save, undo };
}

function Night(props: NightProps) {
  const { entries } = props;
  const { choices, choose, notice, undoable, isBusy, save, undo } = useWinners(props);
  const changes = changesOf(entries, choices);
  const isTooMuch = changes.length > maxBatchWrites;
  const categories = [...new Set(entries.map(({ category }) => category))];
  return (
    <>
      {notice && <NoticeBox notice={notice} fields={[]} />}
      {undoable && (
        <p>
          <button type="button" onClick={undo} disabled={isBusy}>
            Undo this batch
          </button>
        </p>
      )}
      <SaveForm
        action="Save winners"
        status={
          isTooMuch
            ? `One batch takes ${count(maxBatchWrites, 'nomination')}; choose fewer`
            : unsavedText(changes.length, 'nomination')
        }
        hasChanges={changes.length > 0}
        isBusy={isBusy}
        isEnabled={changes.length > 0 && !isTooMuch}
        onSave={() => void save(changes)}
      >
        <div class="night">
          {categories.map((category) => (
            <fieldset key={category}>
              <legend>{category}</legend>
              {entries
                .filter((entry) => entry.category === category)
                .map((entry) => {
                  const chosen = choices.get(entry.key);
                  return (
                    <label key={entry.key} class={chosen === undefined ? 'choice' : 'choice changed'}>
                      <input
                        type="checkbox"
                        checked={chosen ?? hasWon(entry)}
                        onChange={(event) => choose(entry, event.currentTarget.checked)}
                      />
                      <span>{entry.label}</span>
                    </label>
                  );
                })}
            </fieldset>
          ))}
        </div>
      </SaveForm>
    </>
  );
}
