/** An attack on the sandbox: code that the hostile author of a tool would write. */

export interface Attack {
  name: string;
  /**
   * The body of the function. `args` has `url`, `module`, `socket` and `udp` of an outside listener, all with the attack's name in them. Returns a
   * text with LEAKED in it if it has got hold of something.
   */
  code: string;
  /**
   * Where the attack works without a sandbox: in a plain worker of the page, or in the page itself. Missing if only a sandbox has what is attacked.
   */
  twin?: 'worker' | 'page';
  /** How the run must end in the sandbox. Missing if several ends are right. */
  ends?: string;
  timeMs?: number;
}
