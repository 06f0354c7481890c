/** The document of the sandbox frame. `scripts/sandbox-document.js` builds it from `relay.js`. */
declare module '*/relay.js?sandbox-document' {
  const html: string;
  export default html;
}
