/** The policy for Ember. `src/app/small-model.ts` loads this file; nothing else outside the folder knows it. */
import type { ModelSpec } from '../contracts/model';
import type { CreateSmallModelPolicy } from '../contracts/small-model-policy';
import { askUser, takeCommonest } from './choose-reading';
import {
  askToRephrase,
  askWhichPlace,
  languageHere,
  replyInstead,
  replyToPicture,
  replyToTalk,
  writtenByPage,
} from './page-replies';
import { pageStage } from './page-stage';
import { callsPlainly, lacksPlace, works } from './plain-calls';
import { answerFromResults } from './tell-results';
import { doubtStage } from './uncertain-calls';

export const createPolicy: CreateSmallModelPolicy = ({ loadPlaces }) => {
  return {
    appliesTo: isSmall,

    async prepare() {
      await loadPlaces();
    },

    async before({ history, nearTools, mayReply, signal, ...voice }) {
      const picture = mayReply ? replyToPicture(history, voice) : undefined;
      if (picture) return { reply: writtenByPage(picture) };
      const calls = await callsPlainly(history, await nearTools(), signal, loadPlaces);
      if (calls) return { calls };
      if (!mayReply) return undefined;
      const talk = (await lacksPlace(history, voice.tools, loadPlaces))
        ? askWhichPlace(history, voice)
        : replyToTalk(history, voice);
      return talk && { reply: writtenByPage(talk) };
    },

    stage(turn, calls) {
      const { answering, tools, language, hasToolsOff, newId } = turn;
      return pageStage({
        isSmall: () => isSmall(answering()),
        calls,
        reply: (history, said) => replyInstead(history, turn, said),
        answer: (history) => answerFromResults(history, languageHere(history) ?? language),
        fails: async (call, signal) => !(await works(call, tools, signal)),
        hasToolsOff,
        doubt: askUser(turn),
        newId,
        rephrase: (history) => askToRephrase(history, turn),
      });
    },

    agentStage: (turn) => doubtStage(takeCommonest(turn)),
  };
};

function isSmall(spec: ModelSpec): boolean {
  return spec.isSmall === true;
}
