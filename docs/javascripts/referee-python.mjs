/** The reference, running in a worker of its own; nothing of it is loaded before it is started. */

/**
 * Start the reference.
 *
 * @param {string} root the address of the site, in which `python/` lies
 * @returns {Promise<(request: object) => Promise<object>>} asks it; see `referee_bridge.answer`
 */
export function startReference(root) {
  const worker = new Worker(new URL("./referee-worker.mjs", import.meta.url), { type: "module" });
  worker.postMessage({ python: new URL("python/", new URL(root, location.href)).href });
  const waiting = new Map();
  let asked = 0;

  function ask(request) {
    asked += 1;
    worker.postMessage({ id: asked, request: JSON.stringify(request) });
    return new Promise((settle, fail) => waiting.set(asked, { settle, fail }));
  }

  return new Promise((started, failed) => {
    worker.addEventListener("message", ({ data }) => {
      if (data.ready) started(ask);
      else if (data.id === undefined) failed(new Error(data.failed));
      else if (data.failed) waiting.get(data.id).fail(new Error(data.failed));
      else waiting.get(data.id).settle(JSON.parse(data.answer));
      waiting.delete(data.id);
    });
    worker.addEventListener("error", (event) => {
      worker.terminate();
      failed(new Error(event.message || "the worker could not be loaded"));
    });
  });
}
