/** The honors of a ceremony: the saved ones to correct, and rows for new ones. One save is one batch. */
import { count, together } from '../shared/format.ts';
import { useHonorDrafts } from './honor-drafts.ts';
import { awardsId, honorColumns, honorLabels, HonorLine } from './honor-line.tsx';
import type { HonorColumn } from './honor-rows.ts';
import { type LoadedHonors, useHonors } from './honors-state.ts';
import { sendOnce, useAttempt } from './making.ts';
import type { LoadedState } from './night-state.ts';
import type { Outcome } from './requests.ts';
import { createdWords } from './typed-rows.ts';
import {
  type Access,
  changedMeanwhile,
  NewsBox,
  noticeOf,
  SaveForm,
  useFirstFocus,
  useWork,
} from './work.tsx';

/** Rows for new honors that are shown at least. */
const shownRows = 3;

type Props = { state: LoadedState; access: Access };

export function Honors({ state, access }: Props) {
  const { loaded, news, reload, forgetNews } = useHonors(state.night, access.key);
  if (!loaded) return <p class="empty">Reading the honors …</p>;
  return (
    <>
      <NewsBox news={news} onClose={forgetNews} />
      <HonorGrid state={state} access={access} loaded={loaded} reload={reload} />
    </>
  );
}

function HonorGrid(props: Props & { loaded: LoadedHonors; reload: () => Promise<LoadedHonors> }) {
  const { state, access, loaded, reload } = props;
  const { night } = state;
  const { honors, awards } = loaded;
  useFirstFocus('0-award');
  const drafts = useHonorDrafts(night, honors);
  const { saved, typed, changes } = drafts;
  const attempt = useAttempt();
  const working = useWork(access, labelOf);
  const save = async () => {
    if (changes === 0 && !attempt.current) return undefined;
    const now = attempt.current ? loaded : await reload();
    const contested = drafts.contestedIn(now.honors);
    if (contested.length > 0) return changedMeanwhile(contested);
    const outcome = await sendOnce(attempt, drafts.make, working.signature);
    drafts.forget();
    await reload();
    return noticeOf(outcome, `Saved: ${savedWords(outcome) || 'nothing new'}.`);
  };
  const line = { onAnswer: drafts.answer, faultOf: working.faultsOf };
  return (
    <SaveForm
      working={working}
      unsaved={changes > 0 ? count(changes, 'changed row') : ''}
      onSave={() => void working.work(save, async () => void (await reload()))}
      onDiscard={drafts.forget}
      show={reload}
    >
      <datalist id={awardsId}>
        {awards.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <table class="grid honors">
        <thead>
          <tr>
            <th scope="col">Won</th>
            {honorColumns.map((column) => (
              <th key={column} scope="col">
                {honorLabels[column]}
              </th>
            ))}
            <th scope="col">
              <span class="visually-hidden">Row</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {honors.map((honor) => (
            <HonorLine
              key={honor.id}
              {...line}
              honor={honor}
              control={`saved-${honor.id}`}
              name={`${honor.category}, ${honor.recipients ?? honor.movie ?? `no. ${honor.id}`}`}
              row={saved.rowOf(honor.id)}
              read={drafts.correctedRead(honor.id)}
              isGone={saved.gone.includes(honor.id)}
              onChange={(change) => saved.correct(honor.id, change)}
              onRemove={() => saved.toggle(honor.id)}
            />
          ))}
          {Array.from({ length: Math.max(shownRows, typed.rows.length + 1) }, (_, at) => (
            <HonorLine
              key={`new ${at}`}
              {...line}
              control={String(at)}
              name={`row ${at + 1}`}
              row={typed.rowAt(at)}
              read={drafts.newRead(at)}
              onChange={(change) => typed.put(at, change)}
              onPaste={(event, column) => drafts.paste(event, at, column)}
              onRemove={() => typed.remove(at)}
            />
          ))}
        </tbody>
      </table>
    </SaveForm>
  );
}

/** "2 new honors, 1 changed honor". */
function savedWords({ receipts }: Outcome): string {
  const own = (action: string) =>
    receipts.filter((one) => one.resource === 'honors' && one.action === action).length;
  const parts = [
    ['new', own('create')],
    ['changed', own('update')],
    ['deleted', own('delete')],
  ] as const;
  const words = parts.flatMap(([word, made]) => (made > 0 ? [count(made, `${word} honor`)] : []));
  return together([...words, ...createdWords(receipts)]);
}

/** "Row 3, Recipients" for the control `2-recipients`. */
function labelOf(control: string): string {
  const [, place = '', column = ''] = /^(\d+|saved-\d+)-(.*)$/.exec(control) ?? [];
  if (column === '') return '';
  const label = honorLabels[column as HonorColumn];
  return place.startsWith('saved') ? label : `Row ${Number(place) + 1}, ${label}`;
}
