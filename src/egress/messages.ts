/** Error sentences that both ends of egress use, each with a next step. */

export const offlineMessage = 'This device is offline. Connect to the internet and try again.';
export const stoppedMessage = 'The request was stopped. Ask again to send it anew.';
export const diedMessage = 'The part of Hearth that reaches outside broke down and starts anew. Try again.';
