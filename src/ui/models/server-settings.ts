/** PURE: what lets this page read a server, program by program, the one that the port points at first. */
import type { LateWords } from '../i18n/words';

type Program = Exclude<keyof LateWords['endpoints']['cors'], 'title' | 'hint' | 'mixed'>;

/** By the port that each listens on where nobody says another. */
const ports: Readonly<Record<string, Program>> = {
  '11434': 'ollama',
  '1234': 'lmStudio',
  '8080': 'llamaCpp',
  '8000': 'vllm',
};

export function settingsFor(address: string, page: string): readonly { program: Program; text: string }[] {
  const all: { program: Program; text: string }[] = [
    { program: 'ollama', text: `OLLAMA_ORIGINS=${page}` },
    { program: 'lmStudio', text: 'lms server start --cors' },
    { program: 'llamaCpp', text: 'llama-server -m model.gguf --jinja --port 8080' },
    { program: 'vllm', text: `vllm serve MODEL --allowed-origins '["${page}"]'` },
    { program: 'other', text: `Access-Control-Allow-Origin: ${page}` },
  ];
  const likely = ports[new URL(address).port];
  return [
    ...all.filter(({ program }) => program === likely),
    ...all.filter(({ program }) => program !== likely),
  ];
}
