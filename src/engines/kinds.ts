/** All kinds of engines. The build for end-to-end tests replaces this file (scripts/use-doubles.js). */
import { browserModel } from './browser-model/kind';
import { endpoint } from './endpoint/kind';
import type { EngineKind } from './engine';
import { llama } from './llama/kind';
import { webLlm } from './web-llm/kind';

export const engines: readonly EngineKind[] = [llama, webLlm, endpoint, browserModel];
