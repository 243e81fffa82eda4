/** Python with the reference in it. The first message says where Python lies on this site. */

const RULES = "/rules";

async function fetchRules(python) {
  const found = await fetch(`${python}rules.zip`);
  if (!found.ok) throw new Error(`rules.zip: ${found.status} ${found.statusText}`);
  return found.arrayBuffer();
}

async function start(python) {
  const rules = fetchRules(python);
  rules.catch(() => {}); // It is told below.
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const interpreter = await loadPyodide({ indexURL: python });
  interpreter.unpackArchive(await rules, "zip", { extractDir: RULES });
  interpreter.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(RULES)})`);
  return interpreter.pyimport("referee_bridge").answer;
}

let answer;

addEventListener("message", async ({ data }) => {
  try {
    if (data.python) {
      answer = await start(data.python);
      postMessage({ ready: true });
    } else {
      postMessage({ id: data.id, answer: answer(data.request) });
    }
  } catch (error) {
    postMessage({ id: data.id, failed: String(error.message || error) });
  }
});
