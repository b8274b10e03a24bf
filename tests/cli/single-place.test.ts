/** What has one place stays there: SQL and transactions in data/, parameters, routes and problems in their tables. */
import { describe, expect, it } from 'vitest';
import { parameters } from '../../api/contract/parameters.ts';
import { problems } from '../../api/contract/problems.ts';
import { acceptedByReceipts } from '../../api/contract/accepted.ts';
import { routes } from '../../api/contract/routes.ts';
import { codeOf, literalsOf, sourceFiles, withoutComments } from './source-files.ts';

const files = sourceFiles('api', 'build', 'data');

it('no file uses the type "any"', () => {
  const pattern = /(?::|\bas|<|,|\||&|=>|\bextends)\s*any\b(?!\s*[:(])|\bany\[\]/;
  const wrong = [...files, ...sourceFiles('tests')].filter(({ text }) => pattern.test(codeOf(text)));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

it('SQL is in data/ only', () => {
  const sql =
    /\bSELECT\b[\s\S]*\bFROM\b|\bINSERT\s+(OR\s+\w+\s+)?INTO\b|\bUPDATE\s+\w+\s+SET\b|\bDELETE\s+FROM\b|\b(CREATE|DROP|ALTER)\s+TABLE\b|\bPRAGMA\b/;
  const wrong = files
    .filter(({ path }) => !path.startsWith('data/'))
    .flatMap(({ path, text }) =>
      literalsOf(text)
        .filter((literal) => sql.test(literal))
        .map((literal) => `${path}: ${literal}`),
    );
  expect(wrong).toEqual([]);
});

it('transactions are in data/ only, but for the one that is a lock on a file', () => {
  const wrong = files
    .filter(({ path }) => !path.startsWith('data/') && path !== 'build/system/file-lock.ts')
    .filter(
      ({ text }) =>
        literalsOf(text).some((literal) => /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT)\b/.test(literal)) ||
        /\.transaction\(/.test(codeOf(text)),
    );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

describe('the parameter table', () => {
  const names = new Set(Object.keys(parameters));

  it('is the only list of parameter names, except for what each address takes', () => {
    // A short list is a selection; a longer one is a copy.
    const list = /\[\s*((?:'[\w]+'\s*,\s*)+'[\w]+'\s*,?)\s*\]/g;
    const wrong = files
      .filter(({ path }) => !/^api\/contract\/(parameters|accepted|resources|snapshot)\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        [...withoutComments(text).matchAll(list)]
          .map(([, inner]) => [...inner!.matchAll(/'(\w+)'/g)].map(([, word]) => word!))
          .filter((words) => words.length > 4 && words.every((word) => names.has(word)))
          .map((words) => `${path}: ${words.join(', ')}`),
      );
    expect(wrong).toEqual([]);
  });

  it('has no parameter without a route', () => {
    const taken = new Set(
      [acceptedByReceipts, ...routes.values()].flatMap((route) =>
        'parameters' in route ? route.parameters : [],
      ),
    );
    expect([...names].filter((name) => !(taken as ReadonlySet<string>).has(name))).toEqual([]);
  });

  it('describes each parameter', () => {
    for (const [name, { description }] of Object.entries(parameters))
      expect(description, name).toMatch(/^\S.*[.]$/);
  });
});

describe('the route table', () => {
  it('is the only place with addresses', () => {
    const wrong = files
      .filter(({ path }) => path.startsWith('api/') && path !== 'api/contract/routes.ts')
      .flatMap(({ path, text }) =>
        literalsOf(text)
          .filter((literal) => /^\/?api\/[a-z]/.test(literal))
          .map((literal) => `${path}: ${literal}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe('the problem table', () => {
  const users = files.filter(({ path }) => path.startsWith('api/') && path !== 'api/contract/problems.ts');

  it('has no unused problem', () => {
    const used = new Set(users.flatMap(({ text }) => literalsOf(text)));
    expect(Object.keys(problems).filter((code) => !used.has(code))).toEqual([]);
  });

  it('is the only place with statuses of errors', () => {
    const wrong = users.flatMap(({ path, text }) =>
      [...codeOf(text).matchAll(/\bstatus(?:Code)?\s*[:=]\s*([45][0-9]{2})\b/g)].map(
        ([all]) => `${path}: ${all}`,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('has a title and a status of an error for each problem', () => {
    for (const [code, { status, title }] of Object.entries(problems)) {
      expect(status, code).toBeGreaterThanOrEqual(400);
      expect(status, code).toBeLessThan(600);
      expect(title, code).toMatch(/^[A-Z].{8,}[^.]$/);
    }
  });
});
