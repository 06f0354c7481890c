/** DeepSeek V3.2 and V4, GigaChat 3.5: `<｜DSML｜invoke name="f"><｜DSML｜parameter name="q" string="true">x</｜DSML｜parameter>…`. */
import { taggedObject, xmlParameters } from '../codecs/xml-parameters';
import type { ToolCallFormat } from '../format';

/** The bars also as ASCII. */
const prefixes = ['｜DSML｜', '|DSML|', '｜GCML｜'];
const tags = (written: readonly string[]) =>
  prefixes.flatMap((prefix) => written.map((tag) => tag.replace('｜', prefix)));

export const dsml: ToolCallFormat = {
  id: 'dsml',
  reading: {
    open: tags(['<｜tool_calls>', '<｜function_calls>', '<｜invoke name=']),
    close: tags(['</｜invoke>', '</｜tool_calls>', '</｜function_calls>']),
    bodies: [taggedObject, xmlParameters],
    at: 'anywhere',
  },
};
