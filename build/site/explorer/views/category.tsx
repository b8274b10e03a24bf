/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of a category. */
import type { Category } from '../../../../api/contract/resources.ts';
import { count, nominationsText, span } from '../../shared/format.ts';
import { hrefOf } from '../addresses.ts';
import { Chart } from '../chart.tsx';
import { HonorList, honorsOf, whyHonors } from '../honors.tsx';
import { EntryList, WinnersTable } from '../nominations.tsx';
import {
  Chips,
  chosenDecade,
  Decades,
  decadeHref,
  Heading,
  inSample,
  type Page,
  RecordLinks,
  recordLink,
  Section,
  type Visit,
} from '../parts.tsx';
import { decadeOf, decadesOf, groupBy, nominated, tallyOf, totalsByYear } from '../record.ts';

const isAt =
  (ceremony: number) =>
  (own: { ceremony_id: number }): boolean =>
    own.ceremony_id === ceremony;

/** A category with its history and the entries of a decade, the latest ceremony first. @throws Refusal */
export async function categoryPage(visit: Visit, id: number): Promise<Page> {
  const category = await nominated<Category>(visit.snapshot, 'categories', id);
  const { nominations, category_name: name, category_group: group } = category;
  const honors = await honorsOf(visit.snapshot, 'category_id', id);
  const tally = tallyOf(nominations);
  const years = [...nominations, ...honors].map(({ ceremony_year }) => ceremony_year);
  const decade = chosenDecade(visit, years);
  const shown = nominations.filter(({ ceremony_year }) => decadeOf(ceremony_year) === decade);
  const shownHonors = honors.filter(({ ceremony_year }) => decadeOf(ceremony_year) === decade);
  const wonHonors = honors.filter(({ winner }) => winner).reverse();
  const totals = totalsByYear(nominations);
  const body = (
    <article>
      <Heading title={name} above={<a href="/categories">Categories</a>}>
        <p class="tally">
          {nominationsText(tally)}
          {tally.wins > 0 && ' · '}
          {tally.wins > 0 && <strong class="won">{count(tally.wins, 'win')}</strong>}
          {tally.years && ` · ${span(...tally.years)}`}
          {inSample(visit)}
        </p>
        <Chips
          label="Parts of this page"
          links={[
            ['#winners', 'All winners'],
            ['#nominations', 'Nominations by decade'],
            [`/nominations?category_ids=${id}`, 'All nominations, with filters'],
          ]}
        />
      </Heading>
      {category.definition && <p class="prose">{category.definition}</p>}
      {totals.length > 2 && (
        <Chart
          totals={totals}
          label={`Nominations in ${name} by ceremony year`}
          hrefOf={(year) => `/nominations?category_ids=${id}&year=${year}`}
          isLow
        />
      )}
      {category.history && (
        <details>
          <summary>How the category came about</summary>
          <p class="prose">{category.history}</p>
        </details>
      )}
      {[...nominations, ...honors].some(({ winner }) => winner) && (
        <Section id="winners" title="All winners">
          <WinnersTable name={name} nominations={nominations} group={group} />
          {wonHonors.length > 0 && <p class="advice">{whyHonors}</p>}
          {wonHonors.length > 0 && <HonorList honors={wonHonors} hasYears />}
        </Section>
      )}
      {shown.length + shownHonors.length > 0 && (
        <Section id="nominations" title={`Nominations of the ${decade}s`}>
          <Decades decades={decadesOf(years)} hrefOf={decadeHref} chosen={decade} />
          <div class="awards">
            {groupBy([...shown, ...shownHonors], ({ ceremony_id }) => ceremony_id)
              .sort(([a, [one]], [b, [other]]) => other!.ceremony_year - one!.ceremony_year || b - a)
              .map(([ceremony, [first]]) => (
                <div key={ceremony} class="award">
                  <h3>{recordLink('ceremonies', ceremony, first!.ceremony_year)}</h3>
                  <EntryList nominations={shown.filter(isAt(ceremony))} group={group} />
                  {shownHonors.some(isAt(ceremony)) && (
                    <HonorList honors={shownHonors.filter(isAt(ceremony))} />
                  )}
                </div>
              ))}
          </div>
        </Section>
      )}
      <RecordLinks visit={visit} resource="categories" id={id} />
    </article>
  );
  return {
    title: name,
    description: `${name}: every nomination and winner, ${nominationsText(tally)}${inSample(visit)}.`,
    body,
    canonical: hrefOf('categories', category),
  };
}
