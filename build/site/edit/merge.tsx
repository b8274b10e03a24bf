/** Merges two films, people or songs: what stays is chosen, what refers to the other moves, in one batch. */
import { useEffect, useState } from 'preact/hooks';
import { count, joined, nouns } from '../shared/format.ts';
import { planMerge, type Plan } from './dependants.ts';
import { fieldsOf, textOf } from './fields.ts';
import { Finder } from './finder.tsx';
import { editHref, type NamedResource, titleOf } from './naming.ts';
import { isSame, load, type Stored, type Values } from './reading.ts';
import { send } from './requests.ts';
import { type Access, Heading, noticeOf, NoticeBox, SaveForm, useWork } from './work.tsx';

type Props = { resource: NamedResource; id: number; access: Access };
type Pair = { kept: Stored; gone: Stored };

/** The other record is in the address, or chosen. */
export function Merge({ resource, id, access }: Props) {
  const [other, setOther] = useState(Number(new URLSearchParams(location.search).get('with')) || undefined);
  const [first, setFirst] = useState<Stored>();
  const working = useWork(access);
  useEffect(() => {
    void working.work(async () => {
      setFirst(await load(resource, id));
      return undefined;
    });
  }, []);
  const name = first ? titleOf(first.values) : '';
  const { one } = nouns[resource];
  if (other !== undefined) return <Comparison resource={resource} ids={[id, other]} access={access} />;
  return (
    <>
      <Heading text={`Merge ${name}`}>
        <a href={editHref(resource, id)}>Back to the {one}</a>
      </Heading>
      <NoticeBox working={working} show={async () => {}} />
      <label for="other">The {one} that is the same</label>
      {first && (
        <Finder
          id="other"
          label={`The ${one} that is the same`}
          placeholder="Type its name"
          resources={[resource]}
          isFocused
          like={{ id, name }}
          onChoose={(hit) => setOther(hit.id)}
        />
      )}
    </>
  );
}

interface ComparisonProps {
  resource: NamedResource;
  ids: readonly [number, number];
  access: Access;
}

/** Both records beside each other, and what happens. */
function Comparison({ resource, ids, access }: ComparisonProps) {
  const [keptId, setKept] = useState<number>();
  const [pair, setPair] = useState<Pair>();
  const [taken, setTaken] = useState<readonly string[]>([]);
  const [plan, setPlan] = useState<Plan>();
  const working = useWork(access);
  const fields = fieldsOf(resource);
  const show = async (kept: number) => {
    const gone = ids.find((id) => id !== kept)!;
    const [one, other] = [await load(resource, kept), await load(resource, gone)];
    setPair({ kept: one, gone: other });
    const isMissing = (values: Values, name: string) =>
      isSame(values[name], null) || isSame(values[name], []);
    setTaken(
      fields
        .filter(({ name }) => isMissing(one.values, name) && !isMissing(other.values, name))
        .map(({ name }) => name),
    );
    setPlan(await planMerge(resource, kept, gone, {}));
  };
  useEffect(() => {
    void working.work(async () => {
      await show(keptId ?? ids[0]);
      return undefined;
    });
  }, [keptId]);
  const save = () =>
    working.work(async () => {
      const { kept, gone } = pair!;
      const fresh = Object.fromEntries(taken.map((name) => [name, gone.values[name]]));
      const made = await planMerge(resource, Number(kept.values.id), Number(gone.values.id), fresh);
      const outcome = await send(made.writes, working.signature);
      setPair(undefined);
      return noticeOf(
        outcome,
        `Merged: ${titleOf(kept.values)}, with ${count(made.lines.length, 'reference')} moved.`,
      );
    });
  const kept = keptId ?? ids[0];
  if (!pair)
    return (
      <>
        <Heading text="Merge">
          <a href={editHref(resource, kept)}>The {nouns[resource].one} that stays</a>
        </Heading>
        <NoticeBox working={working} show={async () => {}} />
        {!working.notice && <p class="empty">Reading both records …</p>}
      </>
    );
  const differing = fields.filter(({ name }) => !isSame(pair.kept.values[name], pair.gone.values[name]));
  const toggle = (name: string) =>
    setTaken((now) => (now.includes(name) ? now.filter((own) => own !== name) : [...now, name]));
  return (
    <>
      <Heading text={`Merge ${titleOf(pair.gone.values)} into ${titleOf(pair.kept.values)}`}>
        <a href={editHref(resource, kept)}>Back</a>
      </Heading>
      <SaveForm
        working={working}
        unsaved=""
        saveText="Merge"
        onSave={() => void save()}
        onDiscard={() => {}}
        show={async () => {}}
        buttons={
          <button type="button" onClick={() => setKept(ids.find((id) => id !== kept))}>
            Swap: keep the other one
          </button>
        }
      >
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Stays: no. {kept}</th>
              <th scope="col">Goes: no. {ids.find((id) => id !== kept)}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map((field) => (
              <tr key={field.name}>
                <th scope="row">{field.label}</th>
                {[false, true].map((isTaken) => (
                  <td key={String(isTaken)}>
                    <label class="choice">
                      <input
                        type="radio"
                        name={field.name}
                        checked={taken.includes(field.name) === isTaken}
                        onChange={() => toggle(field.name)}
                      />
                      {textOf(field, (isTaken ? pair.gone : pair.kept).values)}
                    </label>
                  </td>
                ))}
              </tr>
            ))}
            {differing.length === 0 && (
              <tr>
                <td colSpan={3}>All fields are equal.</td>
              </tr>
            )}
          </tbody>
        </table>
        <h2>{joined('What moves', plan ? count(plan.lines.length, 'reference') : '')}</h2>
        <ul class="changes">
          {plan?.lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </SaveForm>
    </>
  );
}
