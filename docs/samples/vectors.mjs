// Asks an engine the test vectors: `node vectors.mjs spec/vectors COMMAND`.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

// What your engine plays and can do. A vector that needs anything else is passed over.
const RULINGS = { "flip-after-return": "unless-highest", "flip-without-return": "no",
  "lower-tile": "next", "exact-on-opponent": "choice", "tie-break": "highest-tile",
  "stop-without-claim": "fails", "steal-back": "allowed", "six-faces": "over" };
const CAN = ["set-table", "start", "score", "choose-claim", "refuse", "unresolved"];
const [folder, ...command] = process.argv.slice(2);
const engine = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

// Put your own engine here: return { result } or, if it refuses, { error: { code: 1 } }.
async function ask({ method, params }) {
  engine.stdin.write(`${JSON.stringify({ id: 1, method, params })}\n`);
  return JSON.parse((await lines.next()).value);
}
function part({ table, ...rest }, path) { // undefined if it is not told
  const [name, number] = path.split("."), told = { ...rest, ...table };
  if (name === "face_up") return told.grill.includes(Number(number));
  if (name === "face_down") return ![told.grill, ...told.stacks].flat().includes(Number(number));
  const value = told[name === "stack" ? "stacks" : name] ?? undefined;
  if (value && number) return value[number];
  return value && ["grill", "winners"].includes(name) ? value.toSorted((a, b) => a - b) : value;
}
const isRight = ({ result, error }, { answer, ...due }) => answer === "refused" ? error?.code === 1
  : result && Object.keys(due).every((name) => [undefined, JSON.stringify(due[name])]
    .includes(JSON.stringify(part(result, name))));

for (const file of ["smoke", "features", "refusals"])
  for (const one of JSON.parse(readFileSync(`${folder}/${file}.json`)).cases) {
    const plays = Object.entries(one.rulings).every(([name, all]) => all.includes(RULINGS[name]));
    if (one.unsettled || !plays || !one.needs.every((need) => CAN.includes(need))) continue;
    let right = true;
    for (const { request, expected } of one.steps) right &= isRight(await ask(request), expected);
    console.log(right ? "right" : "WRONG", one.id);
  }
engine.stdin.end();
