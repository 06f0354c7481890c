/** The components of a chat other than its message box. They load with the agent, in the chunk `agent-runtime`. */
import ChatBottom from './ChatBottom.svelte';
import Conversation from './Conversation.svelte';
import DraftExtras from './DraftExtras.svelte';
import RowButtons from './RowButtons.svelte';

export { ChatBottom, Conversation, DraftExtras, RowButtons };
