// A sample engine: the rules of zoch-2005 in plain JavaScript, without any package.
//
//   pickomino check -- node engines/sample-node/engine.js
//
// It answers the adapter protocol (spec/protocol/README.md) and is meant to be read: replace
// the function `turn` by calls of your own engine, and keep the last thirty lines.
"use strict";
const readline = require("node:readline");

class Refused extends Error {}
class Misfit extends Error {
  constructor(message, data) {
    super(message);
    this.data = data;
  }
}

const points = (dice) => [...dice].reduce((sum, face) => sum + (face === "W" ? 5 : Number(face)), 0);
const top = (stack) => stack[stack.length - 1];
const ascending = (a, b) => a - b;

function claims(table, kept) {
  if (!kept.includes("W")) return [];
  const total = points(kept);
  const reach = table.grill.filter((tile) => tile <= total);
  const found = reach.length ? [{ take: Math.max(...reach) }] : [];
  table.stacks.forEach((stack, player) => {
    if (player !== table.player && top(stack) === total) found.push({ steal: player });
  });
  return found;
}

function claim(table, wanted) {
  const own = table.stacks[table.player];
  if ("steal" in wanted) {
    own.push(table.stacks[wanted.steal].pop());
  } else {
    table.grill.splice(table.grill.indexOf(wanted.take), 1);
    own.push(wanted.take);
  }
}

function fail(table) {
  const tile = table.stacks[table.player].pop();
  if (tile === undefined) return;
  table.grill = [...table.grill, tile].sort(ascending);
  if (top(table.grill) !== tile) table.face_down = [...table.face_down, table.grill.pop()];
}

function settled(table, rollsUsed) {
  table.player = (table.player + 1) % table.stacks.length;
  return { table, over: table.grill.length === 0, rolls_used: rollsUsed };
}

function turn({ table, rolls, decisions }) {
  table = structuredClone(table ?? current);
  table.grill.sort(ascending);
  table.face_down ??= [];
  table.player ??= 0;
  if (table.grill.length === 0) throw new Refused("the game is over");
  let kept = "";
  for (const [index, roll] of rolls.entries()) {
    const used = index + 1;
    const dice = 8 - kept.length;
    if (dice === 0 || new Set(kept).size === 6) throw new Refused("the turn is over: no more rolls");
    if (roll.length !== dice) throw new Misfit("another number of dice", { after_rolls: index, wants: "roll", dice });
    if ([...roll].every((face) => kept.includes(face))) {
      fail(table);
      return settled(table, used);
    }
    const decision = decisions[index];
    if (!decision) throw new Misfit("a face must be chosen", { after_rolls: used, wants: "decision" });
    const { keep, then } = decision;
    if (keep === null || !roll.includes(keep)) throw new Refused("choose a face that was rolled");
    if (kept.includes(keep)) throw new Refused(`${keep} was set aside before`);
    kept += [...roll].filter((face) => face === keep).join("");
    const forced = kept.length === 8 || new Set(kept).size === 6;
    if (then === "roll") {
      if (forced) throw new Refused("the turn is over: no more rolls");
      continue;
    }
    const offers = claims(table, kept);
    const wanted = decision.claim ?? null;
    if (wanted === null) {
      if (offers.length) throw new Misfit("say what to claim", { after_rolls: used, wants: "claim", offers });
      fail(table);
    } else {
      if (!offers.some((offer) => offer.take === wanted.take && offer.steal === wanted.steal)) {
        throw new Refused("that can't be claimed");
      }
      claim(table, wanted);
    }
    return settled(table, used);
  }
  throw new Misfit("the turn goes on", { after_rolls: rolls.length, wants: "roll", dice: 8 - kept.length });
}

function start({ players }) {
  if (players < 2 || players > 7) throw new Refused("for 2 to 7 players");
  const grill = Array.from({ length: 16 }, (_, index) => 21 + index);
  return { table: { grill, face_down: [], stacks: Array.from({ length: players }, () => []), player: 0 } };
}

function score({ stacks }) {
  const worms = stacks.map((stack) => stack.reduce((sum, tile) => sum + Math.ceil((tile - 20) / 4), 0));
  const most = Math.max(...worms);
  const highest = (player) => Math.max(0, ...stacks[player]);
  const tied = [...worms.keys()].filter((player) => worms[player] === most);
  const best = Math.max(...tied.map(highest));
  return { worms, winners: tied.filter((player) => highest(player) === best) };
}

function hello() {
  return {
    name: "sample in JavaScript",
    version: "1",
    protocol: 1,
    players: [2, 7],
    capabilities: ["set-table", "start", "score", "choose-claim", "refuse", "unresolved"],
    rulings: {
      "flip-after-return": "unless-highest",
      "flip-without-return": "no",
      "lower-tile": "next",
      "exact-on-opponent": "choice",
      "stop-without-claim": "fails",
      "steal-back": "allowed",
      "tie-break": "highest-tile",
      "six-faces": "over",
    },
  };
}

const methods = { hello, start, turn, score };
let current = null;

function answer({ method, params }) {
  if (!Object.hasOwn(methods, method)) return { error: { code: -32601, message: `no method ${method}` } };
  try {
    const result = methods[method](params ?? {});
    if (method === "start" || method === "turn") current = result.table;
    return { result };
  } catch (error) {
    if (error instanceof Refused) return { error: { code: 1, message: error.message } };
    if (error instanceof Misfit) return { error: { code: 2, message: error.message, data: error.data } };
    return { error: { code: 3, message: String(error) } };
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...answer(request) })}\n`);
});
