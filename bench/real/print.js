/** Prints what real models answered, as tables in Markdown. */

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const right = (answers) =>
  `${answers.filter(({ fault }) => fault === undefined).length} of ${answers.length}`;

/** Right answers to single requests by kind, and the cost of each model. */
export function printAnswers(kept) {
  if (kept.length === 0) return;
  printRight(kept, 'right', 'kind');
  printCosts(kept);
}

/** Right answers within each task, and the cost of each model. */
export function printTasks(kept) {
  if (kept.length === 0) return;
  printRight(kept, 'task', 'task');
  printCosts(kept);
}

const modelsOf = (kept) => [...new Set(kept.map(({ model }) => model))];

function printRight(kept, title, key) {
  const models = modelsOf(kept);
  const cells = (isIn) =>
    models
      .map((model) => kept.filter((one) => one.model === model && isIn(one)))
      .map((answers) => (answers.length > 0 ? right(answers) : '–'))
      .join(' | ');
  console.log(`\n| ${title} | ${models.join(' | ')} |\n| --- |${models.map(() => ' --: |').join('')}`);
  for (const name of new Set(kept.map((one) => one[key])))
    console.log(`| ${name} | ${cells((one) => one[key] === name)} |`);
  console.log(`| all | ${cells(() => true)} |`);
}

function printCosts(kept) {
  console.log(
    '\n| model | calls | rounds | prompt tokens | tokens read | first word | tokens a second | turn |',
  );
  console.log('| --- | --: | --: | --: | --: | --: | --: | --: |');
  for (const model of modelsOf(kept)) {
    const answers = kept.filter((one) => one.model === model && one.rounds !== undefined);
    const mean = (read) =>
      (answers.reduce((sum, one) => sum + read(one), 0) / Math.max(1, answers.length)).toFixed(1);
    const written = answers.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
    const decoding = answers.reduce((sum, { decodeMs }) => sum + decodeMs, 0);
    const middle = (key) => median(answers.map((one) => one[key] ?? 0));
    const seconds = (key) => `${(middle(key) / 1000).toFixed(1)} s`;
    const speed = ((1000 * written) / Math.max(1, decoding)).toFixed(1);
    console.log(
      `| ${model} | ${mean(({ calls }) => calls.length)} | ${mean(({ rounds }) => rounds)} | ${middle('promptTokens')} | ${middle('prefilledTokens')} | ${seconds('firstMs')} | ${speed} | ${seconds('ms')} |`,
    );
  }
}
