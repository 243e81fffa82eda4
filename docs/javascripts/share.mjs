/** Sharing an address: by the phone's own means, else by copying it. */

/**
 * Share an address.
 *
 * @param {string} address
 * @returns {Promise<"" | "shared" | "share-by-hand">} the word for what has to be said
 */
export async function share(address) {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: document.title, url: address });
      return "";
    }
    await navigator.clipboard.writeText(address);
    return "shared";
  } catch (error) {
    return error.name === "AbortError" ? "" : "share-by-hand";
  }
}
