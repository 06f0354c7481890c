/** PURE: thresholds and tables of how sure a model was, from its replies to requests whose right calls are known. */

/** Tools that the model was trained on; any other is one that it has not seen. */
const trained = ['calculator', 'clock', 'fetch_page', 'web_search'];
/** A reply counts as sure where so many like it were right. */
const wanted = 3 / 4;

const scoreOf = ({ usage: { logProbability = -Infinity } }) => logProbability;
const isCall = ({ calls, hasInvalid, isShown }) => calls.length > 0 && !hasInvalid && isShown;
const isInWords = ({ calls, hasInvalid }) => calls.length === 0 && !hasInvalid;
const kindOf = ({ calls: [call] }) => (trained.includes(call.name) ? call.name : 'others');

export function fitThresholds(replies) {
  const calls = replies.filter(isCall);
  const of = (kind) => leastSure(calls.filter((reply) => kindOf(reply) === kind));
  return {
    words: leastSure(replies.filter(isInWords)),
    byTool: Object.fromEntries(trained.map((kind) => [kind, of(kind)])),
    others: of('others'),
  };
}

/** The lowest score at which, by isotonic regression, enough are right. */
function leastSure(replies) {
  const sorted = replies.toSorted((one, other) => scoreOf(other) - scoreOf(one));
  /** Neighbours are pooled until the share of right ones only falls. */
  const pools = [];
  for (const reply of sorted) {
    let pool = { right: reply.isRight ? 1 : 0, count: 1, least: scoreOf(reply) };
    for (
      let last = pools.at(-1);
      last && last.right / last.count <= pool.right / pool.count;
      last = pools.at(-1)
    ) {
      pools.pop();
      pool = { right: last.right + pool.right, count: last.count + pool.count, least: pool.least };
    }
    pools.push(pool);
  }
  const sure = pools.filter(({ right, count }) => right / count >= wanted);
  return Number((sure.at(-1)?.least ?? 0).toFixed(4));
}

const percent = (part, whole) => (whole === 0 ? '' : ((100 * part) / whole).toFixed(1));
const rightOf = (replies) => replies.filter(({ isRight }) => isRight).length;

/** For each kind of call: how many there are, and the percentage that is right among each share of the surest. */
export function coverageRows(replies, shares) {
  const calls = replies.filter(isCall);
  return [...trained, 'others', 'all'].map((kind) => {
    const own = calls
      .filter((reply) => kind === 'all' || kindOf(reply) === kind)
      .toSorted((one, other) => scoreOf(other) - scoreOf(one));
    const cells = shares.map((share) => {
      const surest = own.slice(0, Math.round((own.length * share) / 100));
      return percent(rightOf(surest), surest.length);
    });
    return [kind === 'others' ? 'every other tool' : kind, own.length, ...cells];
  });
}

/** For each intent of the set, and for all but those for a tool that the model is never offered. */
export function frozenRows(replies) {
  const intents = [...new Set(replies.map(({ given: { intent } }) => intent))];
  const isOffered = ({ given: { intent } }) => !intent.includes('weather');
  const rows = intents.map((intent) =>
    rowOf(
      intent,
      replies.filter(({ given }) => given.intent === intent),
    ),
  );
  return [...rows, rowOf('all but weather', replies.filter(isOffered))];
}

function rowOf(name, replies) {
  const asked = replies.filter(({ readings }) => readings > 0);
  const atOnce = replies.filter(({ readings }) => readings === 0);
  const sure = atOnce.filter(({ calls }) => calls.length > 0);
  const among = asked.filter(({ isAmong }) => isAmong).length;
  const made = sure.length + asked.length;
  // Where no call is right, small talk that was answered in words is right, too.
  const good = rightOf(atOnce) + among;
  return [
    name,
    replies.length,
    `${sure.length}${made > 0 ? ` (${percent(sure.length, made)} %)` : ''}`,
    `${rightOf(sure)}${sure.length > 0 ? ` (${percent(rightOf(sure), sure.length)} %)` : ''}`,
    asked.length,
    among,
    `${good} (${percent(good, replies.length)} %)`,
  ];
}
