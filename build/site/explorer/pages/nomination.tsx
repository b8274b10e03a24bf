/** The page of one nomination: the sentence it comes to, and everything it refers to. */
import type {
  Category,
  Ceremony,
  Movie,
  Nomination,
  Nominee,
  Song,
} from '../../../../api/contract/resources.ts';
import { awardHref, recordHref } from '../addresses.ts';
import { useAnswer } from '../answers.ts';
import { date } from '../format.ts';
import { Facts, RecordLinks } from '../parts/facts.tsx';
import { Heading, Shown } from '../parts/page.tsx';
import { askRecord } from '../record.ts';

type WholeNomination = Omit<Nomination, 'category' | 'movie' | 'nominee'> & {
  category: Category;
  movie: Movie;
  nominee: Nominee;
  ceremony: Ceremony;
  song?: Song;
};

export function NominationPage({ id }: { id: number }) {
  const answer = useAnswer(`nominations/${id}`, () => askRecord<WholeNomination>('nominations', id));
  return (
    <Shown answer={answer} what="nomination">
      {(nomination) => <NominationShown nomination={nomination} />}
    </Shown>
  );
}

function NominationShown({ nomination }: { nomination: WholeNomination }) {
  const { category, movie, nominee, ceremony, song, winner } = nomination;
  const show = ceremony.show_title ?? `Ceremony of ${ceremony.ceremony_year}`;
  return (
    <article>
      <Heading
        title={`${nominee.name}, ${movie.title}`}
        above={<a href={recordHref('ceremonies', ceremony.id)}>{show}</a>}
      >
        <p class="tally">
          {winner ? <strong class="won">Won</strong> : 'Nominated, did not win'} · {category.category_name} ·{' '}
          {ceremony.ceremony_year}
        </p>
      </Heading>
      <Facts
        facts={[
          [
            'Category',
            <a key="a" href={recordHref('categories', category.id)}>
              {category.category_name}
            </a>,
          ],
          [
            'Film',
            <a key="a" href={recordHref('movies', movie.id)}>
              {movie.title}
            </a>,
          ],
          ['Song', song && <a href={recordHref('songs', song.id)}>{song.original_title}</a>],
          [
            'Nominated',
            <a key="a" href={recordHref('nominees', nominee.id)}>
              {nominee.name}
            </a>,
          ],
          [
            'Ceremony',
            <a key="a" href={recordHref('ceremonies', ceremony.id)}>
              {show}
            </a>,
          ],
          ['Held on', ceremony.date && date(ceremony.date)],
          ['Honours', ceremony.movies_eligible],
        ]}
      />
      <RecordLinks resource="nominations" id={nomination.id}>
        <a href={awardHref(ceremony.id, category.id)}>Everyone nominated in this category that year</a>
      </RecordLinks>
    </article>
  );
}
