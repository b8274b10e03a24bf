/** What has one place stays there: SQL in data/, parameter names and problems in their tables, types that are types. */
import { describe, expect, it } from 'vitest';
import { parameters } from '../../api/contract/parameters.ts';
import { problems } from '../../api/contract/problems.ts';
import { routes } from '../../api/contract/routes.ts';
import { codeOf, literalsOf, sourceFiles, withoutComments } from './source-files.ts';

const files = sourceFiles('api', 'build', 'data');

it('no file gives up on types with "any"', () => {
  const pattern = /(?::|\bas|<|,|\||&|=>|\bextends)\s*any\b(?!\s*[:(])|\bany\[\]/;
  const wrong = [...files, ...sourceFiles('tests')].filter(({ text }) => pattern.test(codeOf(text)));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

it('SQL stands in data/ alone', () => {
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

describe('the parameter table', () => {
  const names = new Set(Object.keys(parameters));

  it('is the only list of parameter names, besides the routes that pick from it', () => {
    // A few words are a choice of their own; more are the list over again.
    const list = /\[\s*((?:'[\w]+'\s*,\s*)+'[\w]+'\s*,?)\s*\]/g;
    const wrong = files
      .filter(({ path }) => !/^api\/contract\/(parameters|routes|resources|snapshot)\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        [...withoutComments(text).matchAll(list)]
          .map(([, inner]) => [...inner!.matchAll(/'(\w+)'/g)].map(([, word]) => word!))
          .filter((words) => words.length > 4 && words.every((word) => names.has(word)))
          .map((words) => `${path}: ${words.join(', ')}`),
      );
    expect(wrong).toEqual([]);
  });

  it('has no parameter that no route takes', () => {
    const taken = new Set(
      [...routes.values()].flatMap((route) => ('parameters' in route ? route.parameters : [])),
    );
    expect([...names].filter((name) => !(taken as ReadonlySet<string>).has(name))).toEqual([]);
  });

  it('describes each parameter', () => {
    for (const [name, { description }] of Object.entries(parameters))
      expect(description, name).toMatch(/^\S.*[.]$/);
  });
});

describe('the route table', () => {
  it('is the only place where an address is spelled out', () => {
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

  it('has no problem that is never answered', () => {
    const used = new Set(users.flatMap(({ text }) => literalsOf(text)));
    expect(Object.keys(problems).filter((code) => !used.has(code))).toEqual([]);
  });

  it('alone says which problem has which status: nowhere else stands one of an error', () => {
    const wrong = users.flatMap(({ path, text }) =>
      [...codeOf(text).matchAll(/\bstatus(?:Code)?\s*[:=]\s*([45][0-9]{2})\b/g)].map(
        ([all]) => `${path}: ${all}`,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('has a title for each that says something, and statuses of errors only', () => {
    for (const [code, { status, title }] of Object.entries(problems)) {
      expect(status, code).toBeGreaterThanOrEqual(400);
      expect(status, code).toBeLessThan(600);
      expect(title, code).toMatch(/^[A-Z].{8,}[^.]$/);
    }
  });
});
