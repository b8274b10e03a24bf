/** @jsxRuntime automatic @jsxImportSource preact */
/** Parts of the page of a person: the career, the honors, and what schema.org says of the person. */
import type { Nominee, StoredBeside } from '../../../../api/contract/resources.ts';
import { isPerson } from '../../../../api/read/named-columns.ts';
import { Chart } from '../chart.tsx';
import { honorsSentence } from '../happened.ts';
import { Honors, honorsOf } from '../honors.tsx';
import { Section, type Visit } from '../parts.tsx';
import { type Nominated, totalsByYear } from '../record.ts';
import { Shelf, shelfFilms } from '../shelf.tsx';
import { awardTexts, sameAs } from './award-texts.ts';

/** Films on the shelf of a person. */
const maxShelf = 12;
/** A shorter career needs no chart. */
const minCareer = 8;

/** The nominations by year, and the films that the person won for. */
export async function careerOf(visit: Visit, { id, name, nominations }: Nominated<Nominee & { id: number }>) {
  const totals = totalsByYear(nominations);
  const isCareer = totals.length > 2 && totals.at(-1)!.year - totals[0]!.year >= minCareer;
  const won = nominations.filter(({ winner }) => winner).map(({ movie_id }) => movie_id);
  const films = await shelfFilms(visit, [...new Set(won)].slice(0, maxShelf), ({ id: film }) =>
    wonWith(film, nominations),
  );
  return (
    <>
      {isCareer && (
        <Section id="career" title="Career">
          <Chart
            totals={totals}
            label={`Nominations of ${name} by ceremony year`}
            hrefOf={(year) => `/nominations?nominee_ids=${id}&year=${year}`}
            isLow
          />
        </Section>
      )}
      {films.length > 0 && (
        <Section id="won" title="Won for">
          <Shelf visit={visit} films={films} label={`Films that ${name} won for`} />
        </Section>
      )}
    </>
  );
}

/** The categories that a film won for a person: "Directing, Film Editing". */
const wonWith = (film: number, nominations: Nominated<Nominee>['nominations']): string => {
  const won = nominations.filter(({ movie_id, winner }) => winner && movie_id === film);
  return [...new Set(won.map(({ category }) => category))].join(', ');
};

/** The honors of a person: in a sentence, and as a list; nothing without one. */
export async function honorsOfPerson({ snapshot }: Visit, id: number) {
  const honors = await honorsOf(snapshot, 'nominees', id);
  return { sentence: honorsSentence(honors), list: <Honors honors={honors} /> };
}

/** A person or a company as schema.org describes it. */
export function personThing(person: Nominated<Nominee & StoredBeside<'nominees'>>): object {
  const { name, nominations, known_for_department: department, birthday } = person;
  const isOne = isPerson(person.filmindex_id, department);
  return {
    '@type': isOne ? 'Person' : 'Organization',
    name,
    alternateName: person.other_names,
    description: person.biography,
    ...(isOne && {
      birthDate: birthday,
      deathDate: person.deathday,
      birthPlace: person.place_of_birth && { '@type': 'Place', name: person.place_of_birth },
      jobTitle: department,
    }),
    sameAs: sameAs(person.filmindex_id, ['person', person.moviedb_person_id]),
    award: awardTexts(nominations),
  };
}
