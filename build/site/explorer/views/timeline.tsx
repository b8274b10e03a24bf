/** @jsxRuntime automatic @jsxImportSource preact */
/** All ceremonies by decade, each as the film that won Best Picture there. */
import { recordHref } from '../addresses.ts';
import { FilmCard } from '../cards.tsx';
import { ceremonyLink } from '../nominations.tsx';
import { Decades, Heading, type Page, Section, type Visit } from '../parts.tsx';
import { type CeremonySummary, ceremoniesOf, decadeOf, groupBy } from '../record.ts';
import { bestPictures, type ShelfFilm, shelfFilms } from '../shelf.tsx';

export async function timelinePage(visit: Visit): Promise<Page> {
  const [ceremonies, pictures] = await Promise.all([ceremoniesOf(visit.snapshot), bestPictures(visit)]);
  const films = await shelfFilms(
    visit,
    pictures.map(({ film }) => film),
  );
  const wonAt = new Map(
    groupBy(
      pictures.map((own, at) => ({ ...own, card: films[at]! })),
      (own) => own.ceremony,
    ),
  );
  const decades = groupBy(ceremonies, ({ ceremony_year }) => decadeOf(ceremony_year));
  const body = (
    <>
      <Heading title="All ceremonies">
        <p class="lead">Every ceremony, with the film that won Best Picture there.</p>
      </Heading>
      <Decades decades={decades.map(([decade]) => decade)} hrefOf={(decade) => `#decade-${decade}`} />
      {decades.map(([decade, own]) => (
        <Section key={decade} id={`decade-${decade}`} title={`${decade}s`}>
          <ol class="shelf wall" reversed>
            {own.map((ceremony) => (
              <li key={ceremony.id}>
                <Night
                  visit={visit}
                  ceremony={ceremony}
                  films={wonAt.get(ceremony.id)?.map(({ card }) => card) ?? []}
                />
              </li>
            ))}
          </ol>
        </Section>
      ))}
    </>
  );
  return {
    title: 'All ceremonies',
    description: 'Every ceremony of the film awards, and the film that won Best Picture there.',
    body,
  };
}

interface NightProps {
  visit: Visit;
  ceremony: CeremonySummary;
  /** Those that won Best Picture. */
  films: readonly ShelfFilm[];
}

function Night({ visit, ceremony, films }: NightProps) {
  const link = ceremonyLink(
    ceremony,
    [ceremony.ceremony_year, ceremony.show_title?.replace(/ Academy Awards$/, '')]
      .filter(Boolean)
      .join(' · '),
  );
  return (
    <>
      {films.map((film) => (
        <a key={film.id} class="film" href={recordHref('movies', film.id, film.title)}>
          <FilmCard visit={visit} film={film} />
          <span class="visually-hidden">{film.title}</span>
        </a>
      ))}
      {films.length === 0 && <span class="card empty">No winner on record yet</span>}
      <span class="caption">{link}</span>
    </>
  );
}
