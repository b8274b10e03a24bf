/** Where a snapshot is published to: what a publish asks of a folder and of Netlify alike. */
import type { Source } from '../../api/read/source.ts';
import type { Contents } from './contents.ts';
import type { Shown } from './deploy-title.ts';

/** What a target shows. */
export interface Live {
  /** For messages: the name of a site, or a folder. */
  name: string;
  /** Scheme and host, without a slash at the end; '' if they are not known. */
  address: string;
  /** What the last publish made live; undefined where none is known. */
  title: Shown | undefined;
  /** Whether it is known that a publish ended there. */
  wasPublished: boolean;
  /** The paths of its files; those of the history at least, and that of the manifest. */
  paths: ReadonlySet<string>;
  /** The paths that publishes have put there: what a publish does not name any more is removed. */
  own: Iterable<string>;
  /** Reads its files. */
  source: Source;
  /** @throws UserError if the contents must not replace what is live */
  refuse(contents: Contents): void;
  /** The paths of the contents that would have to be sent, in their order. */
  lacks(contents: Contents): Promise<readonly string[]>;
}

/** What a publish does to a target. */
export interface Changes {
  contents: Contents;
  /** Paths of the contents that the target lacks, or has with other bytes, in their order. */
  lacking: readonly string[];
  /** Paths of files of earlier publishes that stay as they are, and of those that go. */
  kept: readonly string[];
  gone: readonly string[];
  /** The kept files that the target has to fetch from another place. */
  brought?: { paths: readonly string[]; read(path: string): Promise<Buffer> } | undefined;
}

/** @template Outcome what a target reports of its work */
export interface Target<Outcome> {
  /** A folder for a frozen copy of the contents, where sending them takes long: builds go on meanwhile. */
  readonly frozenIn: string | undefined;
  /** Files for the host alone: path → bytes. */
  readonly configuration: ReadonlyMap<string, Buffer>;
  /** Makes this publisher the only one. Undefined while there is another one. */
  lock(): (() => void) | undefined;
  live(): Promise<Live>;
  /** The time of the first attempt at the same publish: the next one then finds what it sent. */
  timeOf(contents: Contents, now: Date): Date;
  /**
   * Shows the contents as a whole, or goes on showing what is live.
   * @throws UserError if it cannot; RetryLaterError if a later publish may
   */
  apply(changes: Changes): Promise<Outcome>;
}
