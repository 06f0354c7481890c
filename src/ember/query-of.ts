/** What a message would be searched for by. PURE. */

/** It is no part of what is searched for. */
const toExplain =
  /^(?:(?:please|can you|could you) )*(?:explain|describe|teach me(?: about)?|(?:give|show|tell) me(?: an?| the)?)(?: to me)?(?: what)? |^(?:(?:请|麻烦|帮我|给我|向我)+(?:一?[份个])?)?(?:(?:解释|讲解|科普|介绍|说明|讲讲|分析)(?:一?下)?(?:什么(?:是|叫))?)?/iu;

/** '' for a message that is too short to mean anything, or too long to be searched for. */
export function queryOf(text: string): string {
  const query = text
    .replace(/\s+/g, ' ')
    .replace(/[\s?？.。!！]+$/, '')
    .trim();
  const topic = query.replace(toExplain, '');
  const least = topic === query ? 4 : 2;
  return topic.length >= least && topic.length <= 150 ? topic : '';
}
