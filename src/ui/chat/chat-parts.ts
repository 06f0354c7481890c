/** What a chat shows besides its message box. It loads with the agent: the built file `agent-runtime`. */
import ChatBottom from './ChatBottom.svelte';
import Conversation from './Conversation.svelte';
import DraftExtras from './DraftExtras.svelte';
import RowButtons from './RowButtons.svelte';

export { ChatBottom, Conversation, DraftExtras, RowButtons };
