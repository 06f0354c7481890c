/** All components of a chat except the message box. They load with the agent, in the chunk `agent-runtime`. */
export { default as ChatBottom } from './ChatBottom.svelte';
export { default as Conversation } from './Conversation.svelte';
export { default as DraftExtras } from './DraftExtras.svelte';
export { default as RowButtons } from './RowButtons.svelte';
