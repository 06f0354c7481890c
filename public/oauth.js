/**
 * Where a login to an MCP server comes back to (src/platform/login-window.ts): hands what stands behind `?` to the tabs of Hearth, of which
 * the one that began it knows its `state`, and goes.
 */
const channel = new BroadcastChannel('hearth-login');
channel.postMessage(location.search);
channel.close();
// A code that was used is of no use to anyone who looks at the address later.
history.replaceState(null, '', location.pathname);
window.close();
