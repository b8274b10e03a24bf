/** The existing records that a new one would repeat. */
import type { WritableResource } from '../../../api/contract/names.ts';
import { joined } from '../shared/format.ts';
import { useLatest } from '../shared/hooks.ts';
import { type Candidate, namesakes, nominationsOf } from './candidates.ts';
import { nameFieldOf } from './fields.ts';
import { editAddress } from './navigation.ts';
import type { Entries } from './entries.ts';

const nominationReferences = ['ceremony_id', 'category_id', 'movie_id', 'nominee_id'] as const;

export function Duplicates({ resource, entries }: { resource: WritableResource; entries: Entries }) {
  const ids = nominationReferences.map((name) => Number(entries[name] ?? 0));
  const name = String(entries[nameFieldOf(resource) ?? ''] ?? '').trim();
  const isNomination = resource === 'nominations';
  const key = isNomination ? ids.join() : `${resource} ${name}`;
  const search = async (): Promise<Candidate[]> => {
    if (!isNomination) return name === '' ? [] : namesakes(resource, name);
    if (ids.includes(0)) return [];
    const [ceremony_id = 0, category_id = 0, movie_id = 0, nominee_id = 0] = ids;
    return nominationsOf({ ceremony_id, category_id, movie_id, nominee_id });
  };
  const latest = useLatest(key, search);
  const found = latest?.key === key ? (latest.value ?? []) : [];
  return (
    <div role="status">
      {found.length > 0 && (
        <div class="notice">
          <p>
            {isNomination ? 'This nomination is in the record already:' : 'The record has this name already:'}
          </p>
          <ul>
            {found.map(({ id, label, note }) => (
              <li key={id}>
                <a href={editAddress(resource, id)} target="_blank" rel="noreferrer">
                  {label}
                </a>{' '}
                ({joined(note, `no. ${id}`)})
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
