/** The search of the editor. */
import { useRef, useState } from 'preact/hooks';
import { writableResources } from '../../../api/contract/names.ts';
import { joined, nouns } from '../shared/format.ts';
import { useLatest } from './controls.tsx';
import { candidates, exactFirst } from './service.ts';

/** A search for records of all collections. Enter leads to the first. */
export function Finder() {
  const [words, setWords] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const onInput = () => setWords(input.current!.value);
  // One or two letters are in nearly all names: the first records with them are enough.
  const pages = words.trim().length < 3 ? 3 : undefined;
  const search = () => Promise.all(writableResources.map((name) => candidates(name, words, pages)));
  const found = (useLatest(words, search) ?? []).flat().sort(exactFirst).slice(0, 10);
  const options = found.map((one) => ({ ...one, address: `/edit/${one.resource}/${one.id}` }));
  const onSubmit = (event: Event) => {
    // Without a hit, the browser would load this page again.
    if (!options[0]) event.preventDefault();
  };
  return (
    <search>
      <form action={options[0]?.address} onSubmit={onSubmit}>
        <label for="finder">Find a record by name or number</label>
        <input ref={input} id="finder" autocomplete="off" value={words} onInput={onInput} />
      </form>
      <ul>
        {options.map(({ address, label, note, resource, id }) => (
          <li key={address}>
            <a href={address}>{label}</a> <small>{joined(nouns[resource].one, note, `no. ${id}`)}</small>
          </li>
        ))}
      </ul>
      <p>
        New:{' '}
        {writableResources.map((name) => (
          <a key={name} href={`/edit/${name}/new`}>
            {nouns[name].one}
          </a>
        ))}
      </p>
    </search>
  );
}
