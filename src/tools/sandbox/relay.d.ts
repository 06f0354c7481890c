/** The document of the sandbox frame, built from `relay.js` by `scripts/sandbox-document.js`. */
declare module '*/relay.js?sandbox-document' {
  const html: string;
  export default html;
}
