/** The tools and questions of the exam, on which nothing was tuned. */
import actions from './actions.txt?raw';
import { type Corpus, makeCorpus } from './corpus';
import things from './things-exam.txt?raw';
import single from './tools-exam.txt?raw';

export function makeExamCorpus(copies = 0): Corpus {
  return makeCorpus({ single, things, actions, wording: 'exam', copies });
}
