/** What an attack on the sandbox is: code as a hostile author of a tool would write it. */

export interface Attack {
  name: string;
  /**
   * The body of the function. `args` has `url`, `module`, `socket` and `udp` of a listener outside, all with the name
   * of the attack in them. It returns a text with LEAKED in it once it has got hold of something.
   */
  code: string;
  /** Where it works when nothing holds it: a plain worker of the page, or the page itself. Without it the attack is against what only a sandbox has. */
  twin?: 'worker' | 'page';
  /** How the run ends in the sandbox, where only one end is right. */
  ends?: string;
  timeMs?: number;
}
