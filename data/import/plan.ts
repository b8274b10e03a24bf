/**
 * What an import will do, as data: the records to add, change, remove and keep. Things of the source are
 * matched with records (match.ts), fields are derived (derive.ts), and every value is merged by the rule of
 * mergeFields().
 *
 * A record is removed if
 *
 * - an import added it: it did not find a record that an editor had made,
 * - the source of this import does not name it,
 * - every column has the value that a source gave, or the default: the import or an enrichment last, the
 *   import before an editor replaced the value, or the import now for the same thing, which has another
 *   record. A change that an editor has undone counts as none;
 * - and nothing refers to it that stays.
 *
 * Ceremonies, films, nominees and songs follow the nominations that referred to them; categories stay.
 */
import { type ReferenceField, references } from '../../api/contract/bodies.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { type Given, mergeFields, replacedFields } from '../record/given.ts';
import type { Connection } from '../database/open.ts';
import {
  type Columns,
  columnNames,
  defaultColumn,
  forEachResource,
  refuseBrokenReferences,
} from '../record/records.ts';
import { deriveFromNominations, deriveNames, deriveOverviews } from './derive.ts';
import { type Known, match, readKnown, referencesKey } from './match.ts';
import {
  honorKey,
  identityKey,
  identityOf,
  isThere,
  type SourceNomination,
  type SourceRecord,
  type Thing,
} from './source-record.ts';

/** A record, with what it is for people. */
export interface NamedRecord {
  resource: ResourceName;
  id: number;
  name: string;
}

export interface ResourcePlan {
  /** Number of records before. */
  before: number;
  /** Columns by id, in the order to add them. */
  add: Map<number, Columns>;
  /** Columns that change, by id. */
  change: Map<number, Columns>;
  /** Ids, ascending. */
  remove: number[];
  /** Ids of records that an import gave, that the source does not name, and that stay, ascending. */
  keep: number[];
  /** Number of records that the source names, and that do not change. */
  unchanged: number;
  /** What the source gives of a record and is to be stored, by id. */
  given: Map<number, Given>;
  /**
   * What it gives of deleted records and is to be stored, by id; by a negative number where another record
   * has the id.
   */
  deleted: Map<number, Given>;
}

export interface Plan {
  resources: Record<ResourceName, ResourcePlan>;
  /**
   * The changed records under their new names, and the removed ones, each in the order of resources to show.
   */
  changed: (NamedRecord & { fields: string[] })[];
  removed: NamedRecord[];
  /**
   * What the source names, and an editor deleted. The id is that of the deleted record; negative if another
   * has it.
   */
  deleted: NamedRecord[];
  /** New nominations and honors that would refer to it. */
  withheld: Omit<NamedRecord, 'id'>[];
}

/** The resources in the order of reports, and of removals: those that refer to others first. */
export const inOrderOfRemoval = [
  ...(['nominations', 'honors', 'movies', 'nominees', 'songs', 'ceremonies', 'categories'] as const),
] satisfies readonly ResourceName[];

/**
 * Plans to bring the record up to date with a source.
 * @param isComplete whether the source has all categories of its ceremonies
 * @throws UserError if a reference in the database is broken
 */
export function planImport(connection: Connection, source: SourceRecord, isComplete: boolean): Plan {
  refuseBrokenReferences(connection);
  const known = readKnown(connection);
  match(connection, source, known);
  deriveNames(source);
  deriveOverviews(source, isComplete);
  return new Planner(source, known).plan();
}

class Planner {
  readonly #source: SourceRecord;
  readonly #known: Known;
  /** The records as they will be. */
  readonly #after: Record<ResourceName, Map<number, Columns>>;
  readonly #plans: Record<ResourceName, ResourcePlan>;

  constructor(source: SourceRecord, known: Known) {
    this.#source = source;
    this.#known = known;
    this.#after = forEachResource((resource) => new Map(known[resource].rows));
    this.#plans = forEachResource((resource) => ({
      before: known[resource].rows.size,
      add: new Map(),
      change: new Map(),
      remove: [],
      keep: [],
      unchanged: 0,
      given: new Map(),
      deleted: new Map(),
    }));
  }

  /**
   * The order matters: earlier steps give the values that later ones derive from, and the references that
   * decide which records can be removed.
   */
  plan(): Plan {
    const after = this.#after;
    this.#merge('ceremonies');
    this.#merge('nominations');
    this.#remove('nominations');
    deriveFromNominations(this.#source, after.nominations, (id) =>
      Number(after.ceremonies.get(id)?.ceremony_year),
    );
    this.#merge('categories');
    this.#remove('honors');
    for (const [resource, field, ofHonors] of [
      ['movies', 'movie_id', 'movie_id'],
      ['nominees', 'nominee_id', 'nominee_ids'],
      ['songs', 'song_id', undefined],
    ] as const) {
      this.#merge(resource);
      this.#remove(resource, this.#referred(field, ofHonors));
    }
    this.#resolveHonors();
    this.#merge('honors');
    const held = [...after.nominations.values(), ...after.honors.values()].map((row) => row.ceremony_id);
    this.#remove('ceremonies', new Set(held));
    return {
      resources: this.#plans,
      changed: inOrderOfRemoval.flatMap((resource) =>
        [...this.#plans[resource].change].map(([id, columns]) => ({
          resource,
          id,
          name: this.#nameOf(resource, after[resource].get(id)!),
          fields: Object.keys(columns),
        })),
      ),
      removed: inOrderOfRemoval.flatMap((resource) =>
        this.#plans[resource].remove.map((id) => ({
          resource,
          id,
          name: this.#nameOf(resource, this.#known[resource].rows.get(id)!),
        })),
      ),
      deleted: this.#things('deleted'),
      withheld: this.#things('withheld')
        .filter(({ resource }) => resource === 'nominations' || resource === 'honors')
        .map(({ resource, name }) => ({ resource, name })),
    };
  }

  /** The things in a state, in the order of resources. */
  #things(state: Thing['state']): NamedRecord[] {
    return inOrderOfRemoval.flatMap((resource) => {
      const things: readonly Thing[] = [...this.#source[resource].values()];
      return things
        .filter((thing) => thing.state === state)
        .map(({ id, columns }) => ({ resource, id, name: this.#nameOf(resource, columns) }));
    });
  }

  /** Plans to add and change the records of the things of a resource, and to store what the source gives. */
  #merge(resource: ResourceName): void {
    const [known, after, plan] = [this.#known[resource], this.#after[resource], this.#plans[resource]];
    const things: Iterable<Thing> = this.#source[resource].values();
    for (const thing of things) {
      const { id, state, columns } = thing;
      if (state === 'new') {
        // The nomination has no song while the song of the source is deleted.
        const isSongGone = resource === 'nominations' && this.#isMissing('song_id', columns.song_id ?? null);
        const replaced = isSongGone ? { song_id: null } : {};
        const row = { ...columns, ...replaced };
        plan.add.set(id, row);
        after.set(id, row);
        plan.given.set(id, { ...notEnriched, fields: columns, replaced, isAdded: true });
      }
      if (state === 'deleted') {
        const { fields, replaced = {}, ...own } = known.imported(id)!;
        const now = { ...columns, ...this.#identities(thing) };
        // With the values that the record had from the source last, it would follow the source after an undo.
        const followed = replacedFields({ ...fields, ...replaced }, fields, now, replaced);
        if (!isPart(now, fields))
          plan.deleted.set(id, { ...own, fields: { ...fields, ...now }, replaced: followed });
      }
      if (state !== 'found') continue;
      const [row, imported] = [known.rows.get(id)!, known.imported(id)];
      const { fields: before, replaced = {} } = imported ?? { fields: {} };
      const changes = this.#changesOf(resource, row, before, columns, replaced);
      const changed = Object.keys(changes).length > 0 ? { ...row, ...changes } : row;
      if (changed === row) plan.unchanged += 1;
      else {
        plan.change.set(id, changes);
        after.set(id, changed);
      }
      const replacedNow = replacedFields(changed, before, columns, replaced);
      const isKnown = imported !== undefined && isPart(columns, before) && isSame(replacedNow, replaced);
      if (!isKnown)
        plan.given.set(id, {
          ...notEnriched,
          fields: { ...before, ...columns },
          replaced: replacedNow,
          isAdded: imported?.isAdded ?? false,
        });
    }
  }

  /**
   * The number of an entry is the exception from the rule of mergeFields(): it has a meaning in the source
   * only, and follows it wherever ceremony and category do. A record never comes to refer to what an editor
   * deleted.
   */
  #changesOf(
    resource: ResourceName,
    row: Columns,
    before: Columns,
    now: Columns,
    replaced: Columns,
  ): Columns {
    const { entry, ...merged } = mergeFields(row, before, now, replaced);
    if (resource !== 'nominations') return merged;
    const changes = Object.fromEntries(
      Object.entries(merged).filter(([field, id]) => !this.#isMissing(field, id)),
    );
    const isInPlace = row.ceremony_id === now.ceremony_id && row.category_id === now.category_id;
    return isInPlace && row.entry !== now.entry ? { ...changes, entry: now.entry! } : changes;
  }

  /** The identities of what a nomination refers to and that never had a record, in place of ids. */
  #identities(thing: Thing): Columns {
    if (!('titledAs' in thing)) return {};
    const { movie, nominee, song } = thing as SourceNomination;
    return {
      ...(movie.state === 'withheld' && { movie_id: identityOf('movies', movie.columns) }),
      ...(nominee.state === 'withheld' && { nominee_id: identityOf('nominees', nominee.columns) }),
      ...(song?.state === 'withheld' && { song_id: identityOf('songs', song.columns) }),
    };
  }

  /** Whether a field of a nomination is a reference to what will not be there. */
  #isMissing(field: string, id: Columns[string]): boolean {
    if (id === null || !Object.hasOwn(references, field)) return false;
    return this.#known[references[field as ReferenceField]].stateOf(Number(id)) === 'deleted';
  }

  /**
   * The records that nominations refer to, and honors that stay as they are: an honor of the source follows
   * its film and nominees, unless an editor gave it others.
   */
  #referred(field: ReferenceField, ofHonors?: 'movie_id' | 'nominee_ids'): Set<unknown> {
    const ids = new Set<unknown>([...this.#after.nominations.values()].map((row) => row[field]));
    if (ofHonors === undefined) return ids;
    const named = this.#named('honors');
    for (const [id, row] of this.#after.honors) {
      const { fields, replaced } = this.#known.honors.imported(id) ?? {};
      const follows = (own: 'movie_id' | 'nominee_ids') =>
        [fields?.[own], replaced?.[own]].includes(row[own]);
      if (named.has(id) && follows('movie_id') && follows('nominee_ids')) continue;
      for (const each of [JSON.parse(String(row[ofHonors])) as number | null | number[]].flat())
        ids.add(each);
    }
    return ids;
  }

  /** Ids of the records that the source names. */
  #named(resource: ResourceName): Set<number> {
    const things: readonly Thing[] = [...this.#source[resource].values()];
    return new Set(things.filter(isThere).map(({ id }) => id));
  }

  /**
   * Plans to remove what the source does not name. @param referred ids of records that stay, because others
   * refer to them
   */
  #remove(resource: ResourceName, referred: ReadonlySet<unknown> = new Set()): void {
    const [named, known, plan] = [this.#named(resource), this.#known[resource], this.#plans[resource]];
    let namesakes: ((row: Columns) => Columns | undefined) | undefined;
    for (const id of known.rows.keys()) {
      if (named.has(id) || known.imported(id) === undefined) continue;
      namesakes ??= this.#namesakes(resource);
      if (referred.has(id) || !this.#isAsGiven(resource, id, namesakes)) plan.keep.push(id);
      else {
        plan.remove.push(id);
        this.#after[resource].delete(id);
      }
    }
  }

  /**
   * The values that the source gives for the thing that matches the current values of a record, if that thing
   * was matched with another record.
   */
  #namesakes(resource: ResourceName): (row: Columns) => Columns | undefined {
    const { movies, nominees, honors, nominations, songs } = this.#source;
    if (resource === 'movies')
      return ({ filmindex_id, title }) => movies.get(identityKey(filmindex_id, title))?.columns;
    if (resource === 'nominees')
      return ({ filmindex_id, name }) => nominees.get(identityKey(filmindex_id, name))?.columns;
    if (resource === 'honors') {
      const byKey = new Map([...honors.values()].map(({ columns }) => [honorKey(columns), columns]));
      return (row) => byKey.get(honorKey(row));
    }
    if (resource === 'ceremonies' || resource === 'categories') return () => undefined;
    const keyOf = resource === 'nominations' ? referencesKey : (row: Columns) => String(row.original_title);
    const things: readonly Thing[] = [...(resource === 'nominations' ? nominations : songs).values()];
    const byKey = new Map(things.map(({ columns }) => [keyOf(columns), columns]));
    return (row) => byKey.get(keyOf(row));
  }

  #isAsGiven(resource: ResourceName, id: number, namesakes: (row: Columns) => Columns | undefined): boolean {
    const known = this.#known[resource];
    const imported = known.imported(id);
    if (!imported?.isAdded) return false;
    const row = known.rows.get(id)!;
    const given = [...known.given.get(id)!.values()].map(({ fields }) => fields);
    given.push(imported.replaced ?? {}, namesakes(row) ?? {});
    return columnNames[resource].every(
      (field) =>
        field === 'id' ||
        row[field] === (imported.fields[field] ?? defaultColumn(field)) ||
        given.some((values) => values[field] === row[field]),
    );
  }

  /** The film and the nominees of each honor that will be in the record. */
  #resolveHonors(): void {
    const lookUp = (resource: 'movies' | 'nominees') => {
      const ids = new Map<unknown, number>();
      for (const [id, { filmindex_id }] of this.#after[resource])
        ids.set(filmindex_id, Math.min(id, ids.get(filmindex_id) ?? id));
      return (key: string): number | null => {
        const thing: Thing | undefined = this.#source[resource].get(key);
        return (thing && isThere(thing) ? thing.id : ids.get(key)) ?? null;
      };
    };
    const [movieOf, nomineeOf] = [lookUp('movies'), lookUp('nominees')];
    for (const {
      columns,
      category,
      movie,
      nominees,
      movieKey,
      nomineeKeys,
    } of this.#source.honors.values()) {
      const people = [...nominees.map(({ id }) => id), ...nomineeKeys.map(nomineeOf)];
      columns.category_id = category?.id ?? null;
      columns.movie_id = movie?.id ?? (movieKey && movieOf(movieKey));
      columns.nominee_ids = JSON.stringify(people.filter((id) => id !== null));
    }
  }

  /** The name of a record for people: of a nomination or honor also where it belongs. */
  #nameOf(resource: ResourceName, row: Columns): string {
    const own = (target: ResourceName, id: Columns[string] | undefined) =>
      this.#after[target].get(Number(id)) ?? this.#known[target].asIs(Number(id)) ?? this.#thing(target, id);
    if (resource !== 'nominations' && resource !== 'honors')
      return String(row.title ?? row.name ?? row.original_title ?? row.show_title ?? row.category_name);
    const year = own('ceremonies', row.ceremony_id)?.ceremony_year;
    if (resource === 'honors')
      return `${year} ${row.category}: ${row.recipients ?? row.citation ?? own('movies', row.movie_id)?.title}`;
    const [category, movie, nominee] = [
      own('categories', row.category_id)?.category_name,
      own('movies', row.movie_id)?.title,
      own('nominees', row.nominee_id)?.name,
    ];
    return `${year} ${category}: ${movie} / ${nominee}`;
  }

  #thing(resource: ResourceName, id: unknown): Columns | undefined {
    const things: readonly Thing[] = [...this.#source[resource].values()];
    return things.find((each) => each.id === id)?.columns;
  }
}

const notEnriched = { sourceId: null, retrievedAt: null };

/** Whether another object has all values. */
const isPart = (values: Columns, of: Columns): boolean =>
  Object.entries(values).every(([field, value]) => of[field] === value);

const isSame = (one: Columns, other: Columns): boolean => isPart(one, other) && isPart(other, one);
