/** The frame's document, made at build from `relay.js`: `scripts/sandbox-document.js`. */
declare module '*/relay.js?sandbox-document' {
  const html: string;
  export default html;
}
