/**
 * Runs the commands that documents show, as they stand: each block of a page in one shell, with what the blocks before exported.
 * Places of the system lie in a folder of the test. Programs that need a system, a registry or an account have stand-ins, which
 * refuse words that they do not know.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { project } from './project.ts';
import { temporaryFolder } from './temporary-folder.ts';

const textOf = (path: string) => readFileSync(join(project, path), 'utf8');

/** The blocks of commands of a document, in its order. */
export const commandBlocks = (document: string): string[] =>
  [...textOf(document).matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(([, indent, block]) =>
    block!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

/** Folders of the system and of the operator that documents name. */
const systemFolders = ['opt', 'var/lib', 'var/www', 'etc', 'usr/local', 'backups'];

export class DocumentShell {
  /** Everything that the commands make is below it. */
  readonly root = temporaryFolder();
  /** The current folder of the blocks: a checkout, without what its commands make. */
  readonly checkout = this.at('checkout');
  readonly db = this.at('awards.db');
  readonly out = this.at('dist');

  constructor() {
    const made = [
      'checkout',
      'tmp',
      'backups',
      'etc/systemd/system',
      'usr/local/bin',
      'var/lib/film-awards',
      'opt/film-awards',
    ];
    for (const folder of made) mkdirSync(this.at(folder), { recursive: true });
    for (const name of [
      'api',
      'deploy',
      'tests',
      'package.json',
      'compose.yaml',
      'Dockerfile',
      'netlify.toml',
    ])
      symlinkSync(join(project, name), join(this.checkout, name));
  }

  at(...path: string[]): string {
    return join(this.root, ...path);
  }

  /** The environment of the commands; `AWARDS` is the compiled command line. */
  get environment(): Record<string, string | undefined> {
    return {
      ...{ PATH: process.env.PATH, HOME: this.root, TMPDIR: this.at('tmp'), ROOT: this.root, PORT: '0' },
      ...{ AWARDS_DB: this.db, AWARDS_DIST: this.out },
      AWARDS: `${process.execPath} ${inject('cli')}`,
    };
  }

  /**
   * Runs a block. @param replaced texts of the document, such as addresses → those of the test
   * @returns what it prints; fails with its first command that fails
   */
  async run(block: string, replaced: Readonly<Record<string, string>> = {}): Promise<string> {
    // The key that was printed last.
    let script = block.replaceAll('fa_…', `"$(grep -o 'fa_[0-9A-Za-z]*' "$ROOT/printed")"`);
    for (const [text, own] of Object.entries(replaced)) script = script.replaceAll(text, own);
    const kept = this.at('exported');
    const words = ['-e', '-u', '-c', `${this.#standIns()}\n${this.#inRoot(script)}\nexport -p >${kept}`];
    const { stdout } = await promisify(execFile)('sh', words, { cwd: this.checkout, env: this.environment });
    return stdout;
  }

  #inRoot(script: string): string {
    return script.replaceAll(new RegExp(`(?<![\\w./])/(${systemFolders.join('|')})/`, 'g'), (path) =>
      this.at(path),
    );
  }

  /** "systemctl start" of the backup runs the command of its unit. */
  #standIns(): string {
    const unit = textOf('deploy/film-awards-backup.service');
    const backup = this.#inRoot(/^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit)![1]!)
      .replace(/exec \S+ \S+main\.js/, 'awards')
      .replaceAll('%%', '%');
    return `
[ ! -f "$ROOT/exported" ] || . "$ROOT/exported"
refuse() { echo "no stand-in for: $*" >&2; exit 1; }
# Prints what a command prints, and keeps it. A service is stopped as soon as it names its address.
awards() {
  case "$1" in
  start | serve)
    : >"$ROOT/printed"
    $AWARDS "$@" >"$ROOT/printed" & pid=$!
    until grep -q http:// "$ROOT/printed"; do kill -0 "$pid"; sleep 0.1; done
    kill -TERM "$pid"; wait "$pid" ;;
  *) $AWARDS "$@" >"$ROOT/printed" || { cat "$ROOT/printed" >&2; exit 1; } ;;
  esac
  cat "$ROOT/printed"
}
sudo() ( [ "$1" != -E ] || shift; case "$1" in *=*) export "$1"; shift ;; esac; "$@" )
script() { node -e 'process.exit(process.argv[1] in require("./package.json").scripts ? 0 : 1)' "$1" || refuse npm run "$1"; }
npm() {
  case "$1 \${2-} \${3-} \${4-}" in
  'ci '* | 'install '*.tgz* | 'pack ./package/film-awards'*) ;;
  'start '*) shift; [ "\${1-}" != -- ] || shift; awards start "$@" ;;
  'test '*) script test ;;
  'run -s awards --') shift 4; awards "$@" ;;
  'run -s '*) script "$3" ;;
  'run '*) script "$2" ;;
  *) refuse npm "$@" ;;
  esac
}
npx() {
  case "$*" in
  'film-awards '*) shift; awards "$@" ;;
  'netlify-cli@'*' build') [ -f netlify.toml ] ;;
  'wrangler deploy --config '*' --assets '*) [ -f "$4" ]; [ -f "$6/manifest.json" ] ;;
  'vitest --project '*) grep -q "name: '$3'" ${join(project, 'vitest.config.ts')} ;;
  'vitest run tests/'*) [ -e "$3" ] ;;
  *) refuse npx "$@" ;;
  esac
}
docker() {
  [ -f Dockerfile ] && [ -f compose.yaml ]
  case "$*" in
  *' keys create '*) awards keys create "\${*##* }" ;;
  'compose up' | 'build -t film-awards .' | 'run '*' film-awards') ;;
  *) refuse docker "$@" ;;
  esac
}
systemctl() {
  case "$*" in
  'start film-awards-backup') AWARDS_DB=${this.at('var/lib/film-awards/awards.db')}; export AWARDS_DB; ${backup} ;;
  daemon-reload | 'enable --now film-awards film-awards-backup.timer' | 'start film-awards' | 'stop film-awards') ;;
  *) refuse systemctl "$@" ;;
  esac
}
curl() { command curl -sS --fail-with-body "$@"; echo; }
`;
  }
}
