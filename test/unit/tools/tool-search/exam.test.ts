import { expect } from 'vitest';
import { runExam } from '../../../../bench/tool-search/main';
import { thorough } from '../../../support/matrix';

thorough(
  'in the tool search exam, our search finds more than MiniSearch with the same terms',
  { timeout: 60_000 },
  () => {
    let time = 0;
    const { tools, rows } = runExam(() => time++, 0.05);
    expect(tools).toBeGreaterThanOrEqual(1000);
    for (const language of ['en', 'zh']) {
      const [ours, ...others] = rows.filter((row) => row.language === language);
      expect(ours).toMatchObject({ searcher: 'ours' });
      expect(ours?.questions).toBeGreaterThan(30);
      const sameTerms = others.filter(({ searcher }) => !searcher.includes('characters'));
      expect(sameTerms).toHaveLength(3);
      for (const other of sameTerms) expect(ours?.recall5).toBeGreaterThan(other.recall5);
    }
  },
);
