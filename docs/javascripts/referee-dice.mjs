/** Real dice: every face equally likely, from the browser's own source of chance. */

import { FACES } from "./referee-position.mjs";

// 252 is the largest multiple of six in a byte: what lies above is drawn again.
const FAIR = 252;

/**
 * Roll dice.
 *
 * @param {number} number how many
 * @param {(bytes: Uint8Array) => void} fill fills bytes by chance
 * @returns {string} what they show, in the order they fell
 */
export function rollDice(number, fill = (bytes) => crypto.getRandomValues(bytes)) {
  let rolled = "";
  const bytes = new Uint8Array(1);
  while (rolled.length < number) {
    fill(bytes);
    if (bytes[0] < FAIR) rolled += FACES[bytes[0] % FACES.length];
  }
  return rolled;
}
