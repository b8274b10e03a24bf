/** A page: one file with what the resolver answers at one address. */
import type { PageName } from '../../../api/contract/pages.ts';
import type { Question } from '../../../api/read/question.ts';

/** The cause of every page of a full build. */
export const wholeBuild = 'everything is built';

export interface Page extends PageName {
  /** What it answers. */
  question: Question;
  /** Why it is rendered; for --explain. */
  cause: string;
}

/** A page that may have come, gone or stayed. */
export interface TouchedPage extends Page {
  /** Whether the new snapshot has it. */
  exists: boolean;
}
