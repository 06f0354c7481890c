/** The components of a chat except the message box. They load together with the agent. */
export { default as ChatBottom } from './ChatBottom.svelte';
export { default as Conversation } from './Conversation.svelte';
export { default as DraftExtras } from './DraftExtras.svelte';
export { default as RowButtons } from './RowButtons.svelte';
