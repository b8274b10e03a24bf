/** The project's source files, and what each of them imports. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { project } from '../support/project.ts';

export interface Import {
  /** For a file of the project, its path below the root; otherwise the name, such as `node:fs`. */
  target: string;
  /** Whether there is no import at run time. */
  isTypeOnly: boolean;
}

export interface SourceFile {
  /** Below the root, with slashes. */
  path: string;
  text: string;
  imports: Import[];
}

/** All source files below some folders of the project, ascending. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  return fastGlob
    .sync(
      folders.map((folder) => `${folder}/**/*.{ts,tsx,mts,js,mjs}`),
      { cwd: project },
    )
    .sort()
    .map((path) => {
      const text = readFileSync(join(project, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

/** `import … from`, `export … from`, a bare `import '…'`, `import('…')` and `import.meta.resolve('…')`. */
const importPattern =
  /^\s*(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport(?:\.meta\.resolve)?\(\s*['"]([^'"]+)['"]/gm;

function importsOf(path: string, text: string): Import[] {
  return [...withoutComments(text).matchAll(importPattern)].map(([, type, from, bare, dynamic]) => {
    const name = (from ?? bare ?? dynamic)!;
    const target = name.startsWith('.')
      ? relative(project, resolve(project, dirname(path), name)).replaceAll('\\', '/')
      : name;
    return { target, isTypeOnly: type !== undefined };
  });
}

/** Comments, and literals, which may contain the text of a comment. */
const commentPattern =
  /(\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*)|('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)/g;

export function withoutComments(text: string): string {
  return text.replace(commentPattern, (_all, comment: string | undefined, literal: string) =>
    comment === undefined ? literal : ' ',
  );
}

/** The string and template literals of a text, without their quotes. */
export function literalsOf(text: string): string[] {
  return [...text.matchAll(commentPattern)].flatMap(([, , literal]) =>
    literal ? [literal.slice(1, -1)] : [],
  );
}

/** The code of a text: comments gone, literals empty. */
export function codeOf(text: string): string {
  return text.replace(commentPattern, (_all, comment: string | undefined) =>
    comment === undefined ? "''" : ' ',
  );
}
