/** The words of a page in the reader's language, and what goes into them. */

/**
 * Return a function that says a word of a table; `{names}` in it are filled in.
 *
 * @param {Record<string, string>} words
 * @returns {(word: string, values?: object) => string}
 */
export function speaker(words) {
  return (word, values = {}) => {
    if (!(word in words)) throw new Error(`there is no word "${word}"`);
    return words[word].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  };
}

/** The data that the build has written for a page, in the language of the page. */
export async function readBook(name) {
  const found = await fetch(new URL(`./data/${name}.json`, import.meta.url));
  if (!found.ok) throw new Error(`${name}.json: ${found.status} ${found.statusText}`);
  // Addresses are told as seen from the first page of the language.
  const first = new URL("../", import.meta.url);
  return JSON.parse(await found.text(), (key, value) =>
    key === "href" ? new URL(value, first).href : value,
  );
}

/** Several words as one: "5 or worm", "Ann and Bob"; `type` is "disjunction" or "conjunction". */
export function listed(words, type) {
  // A page that is not translated yet speaks English.
  const told = document.querySelector(".in-english") ?? document.documentElement;
  return new Intl.ListFormat(told.lang || "en", { type }).format(words);
}
