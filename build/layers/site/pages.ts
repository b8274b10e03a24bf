/** The pages of the site: each one file, one program that the browser runs, and what stands in its head. */

export interface SitePage {
  /** Below the root. */
  file: string;
  /** What its program and style are called under assets/. */
  name: string;
  /** The program, below build/. */
  program: string;
  title: string;
  description: string;
  /** Few visitors open it and it is large, so a browser keeps it for a time without a network only once it was opened. */
  isApart?: true;
}

export const sitePages: readonly SitePage[] = [
  {
    file: 'index.html',
    name: 'explorer',
    program: 'site/explorer/main.tsx',
    title: 'Film Awards',
    description: 'A century of film awards: nominations, winners, films, people, ceremonies and songs.',
  },
  {
    file: 'docs/index.html',
    name: 'docs',
    program: 'site/docs/main.ts',
    title: 'Reference of the film awards service',
    description: 'Every request and every answer of the film awards service, to read and to try.',
    isApart: true,
  },
  {
    file: 'edit/index.html',
    name: 'edit',
    program: 'site/edit/main.tsx',
    title: 'Edit the film awards',
    description: 'Correct and add records of the film awards.',
  },
];
