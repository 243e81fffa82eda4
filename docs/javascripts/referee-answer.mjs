/** What the referee says of a position: what is allowed, what is not, and by which rule. */

import { NAMES, dicePicture, faceText, facesOf } from "./referee-board.mjs";
import { button, element } from "./dom.mjs";
import { listed } from "./words.mjs";

// Nobody asks why a face can't be set aside when no roll lies there.
const OBVIOUS = ["no-roll"];
// Rules that hold at the end of every turn, and are no news.
const NO_NEWS = ["failing.passes", "failing.face-down-for-good", "setup.order", "claiming.one-tile"];

/** The name of a move, by which the page finds it again. */
export function moveKey(move) {
  const [[kind, value]] = Object.entries(move);
  return kind === "roll" || kind === "stop" ? kind : `${kind}-${value}`;
}

/** The keys of the moves that are allowed; nothing is while the answer is not there. */
export function openMoves(answer) {
  const allowed = answer ? answer.moves.filter((one) => one.allowed) : [];
  return new Set(allowed.map(({ move }) => moveKey(move)));
}

/** The first thing to say, in one sentence. */
export function headline({ position, answer }, say) {
  const name = NAMES[position.player];
  if (answer.over) return overText(answer.score, say);
  if (answer.failed) return say("turn-failed", { name });
  if (position.roll) return say("must-choose", { name });
  if (!position.aside) return say("must-roll", { name });
  const open = [...openMoves(answer)];
  const claims = open.some((key) => key.startsWith("take") || key.startsWith("steal"));
  if (!open.includes("roll")) return say("turn-over", { name });
  return say(claims ? "may-claim-or-roll" : "nothing-to-claim", { name });
}

/**
 * Draw the answer to a position, without its headline.
 *
 * @param {object} view `position`, `byHand`, and `answer` as `referee_bridge.explained` gives it
 * @param {object} book `rules`, `editions` in the reader's language, each with `name` and `href`
 */
export function drawAnswer(view, actions, say, book) {
  const { answer } = view;
  const allowed = claimsFirst(answer.moves.filter((one) => one.allowed));
  const shared = sharedRules(allowed);
  const refused = answer.moves.filter((one) => !one.allowed && !OBVIOUS.includes(one.why));
  return [
    answer.over && element("p", {}, wormsText(answer.score, say)),
    answer.failed && drawFailed(view, actions, say, book),
    shared.length > 0 && element("p", {}, ruleLinks(shared, book)),
    allowed.length > 0 &&
      element(
        "ul",
        { class: "referee-moves", "aria-label": say("allowed") },
        allowed.map((one) => drawMove(one, shared, view, actions, say, book)),
      ),
    refused.length > 0 && !answer.over && drawRefused(refused, view, say, book),
    drawOthers(view, say, book),
  ];
}

function claimsFirst(moves) {
  const isClaim = ({ move }) => "take" in move || "steal" in move;
  return [...moves.filter(isClaim), ...moves.filter((one) => !isClaim(one))];
}

/** Draw why one move is not allowed, for whoever tapped it. */
export function drawWhy(view, move, say, book) {
  const found = view.answer?.moves.find((one) => moveKey(one.move) === moveKey(move));
  if (!found || found.allowed) return null;
  return element(
    "p",
    { class: "referee-why" },
    element("strong", {}, `${moveText(move, view.position, say)}: `),
    whyText(found, say),
    " ",
    ruleLinks(found.rules, book),
  );
}

/** Draw how the last turn ended. */
export function drawHappened({ player, move, victim, consequence, dice }, say, book) {
  const name = NAMES[player];
  const failed = consequence.kind === "failed";
  const tile = consequence.tile;
  const told = failed
    ? say("failed", { name })
    : "steal" in move
      ? say("stole", { name, tile, victim: NAMES[victim] })
      : say("took", { name, tile });
  return element(
    "div",
    { class: `referee-happened${failed ? " is-failed" : ""}` },
    dice && element("p", {}, `${say("rolled")} `, dicePicture(dice, say)),
    element(
      "p",
      {},
      element("strong", {}, told),
      " ",
      failed && costText(consequence, say),
      " ",
      ruleLinks(consequence.rules, book),
    ),
  );
}

/** A move in a few words. */
export function moveText(move, position, say) {
  const [[kind, value]] = Object.entries(move);
  switch (kind) {
    case "keep":
      return keepText(value, position, say);
    case "roll": {
      const number = typeof value === "string" ? value.length : value;
      return number === 1 ? say("roll-one") : say("roll-dice", { number });
    }
    case "take":
      return say("take", { tile: value });
    case "steal":
      return stealText(value, position, say);
  }
  return say("stop");
}

function keepText(value, position, say) {
  const number = [...position.roll].filter((one) => one === value).length;
  const face = faceText(value, say);
  if (number > 1) return say("keep-all", { number, face });
  return say(number ? "keep-one" : "keep-none", { face });
}

function stealText(seat, position, say) {
  const tile = position.stacks[seat].at(-1);
  const name = NAMES[seat];
  return tile ? say("steal", { tile, name }) : say("steal-from", { name });
}

function overText({ winners }, say) {
  const names = listed(winners.map((seat) => NAMES[seat]), "conjunction");
  return say(winners.length > 1 ? "over-shared" : "over", { names });
}

function wormsText({ worms }, say) {
  return say("worms", { told: worms.map((number, seat) => `${NAMES[seat]} ${number}`).join(", ") });
}

function ruleLinks(rules, book) {
  return element(
    "span",
    { class: "referee-rules" },
    rules.filter((rule) => !NO_NEWS.includes(rule)).map((rule) => [
      element("a", { class: "referee-rule", href: book.rules[rule].href, title: rule }, book.rules[rule].name),
      " ",
    ]),
  );
}

/** The rules that several moves share, which are told once, but for each move's first. */
function sharedRules(moves) {
  if (moves.length < 2) return [];
  const others = moves.map(({ rules }) => rules.slice(1));
  return others[0].filter((rule) => others.every((rules) => rules.includes(rule)));
}

function drawMove(one, shared, view, actions, say, book) {
  const { move } = one;
  const rolls = "roll" in move;
  const rules = one.rules.filter((rule) => !shared.includes(rule));
  return element(
    "li",
    {},
    element(
      "span",
      { class: "referee-buttons" },
      button(
        moveKey(move),
        { class: "md-button md-button--primary referee-move" },
        (event) => actions.play(one, event),
        moveText(move, view.position, say),
      ),
      rolls &&
        view.byHand === null &&
        button("by-hand", { class: "md-button referee-move" }, actions.startHand, say("roll-by-hand")),
    ),
    element("span", { class: "referee-reason" }, capital(whyText(one, say)), " ", ruleLinks(rules, book)),
    drawConsequence(one.consequence, view, say, book),
  );
}

function whyText({ why, facts }, say) {
  const names = { player: NAMES[facts.player], mover: NAMES[facts.mover] };
  const face = facts.face && faceText(facts.face, say);
  return say(`why-${why}`, { ...facts, ...names, face });
}

function drawConsequence(consequence, view, say, book) {
  const told = consequenceText(consequence, view, say);
  const end = consequence.kind === "failed" ? consequence : consequence.failed;
  if (!told && !end) return null;
  const rules = end ? end.rules : [];
  return element(
    "span",
    { class: `referee-consequence${end ? " is-failing" : ""}` },
    "→ ",
    told,
    end && ` ${costText(end, say)} `,
    ruleLinks(rules, book),
  );
}

function consequenceText(consequence, { position }, say) {
  switch (consequence.kind) {
    case "kept":
      return keptText(consequence, position, say);
    case "rolled":
      if (!consequence.failed) return "";
      return say("if-dead", { faces: listed(facesOf(consequence.dead, say), "disjunction") });
    case "claimed":
      return [
        consequence.covers && say("covers", { tile: consequence.covers }),
        consequence.uncovers && say("uncovers", { tile: consequence.uncovers }),
        consequence.over && say("ends-game"),
      ]
        .filter(Boolean)
        .join(", ");
  }
  return say("then-failed");
}

function keptText({ total, dice, rolling_over: over, claims, failed }, position, say) {
  const parts = [say("then-total", { total, dice })];
  if (over) parts.push(say("then-over"));
  if (failed) parts.push(say("then-failed"));
  else if (claims.length) {
    const moves = claims.map((claim) => moveText(claim, position, say)).join(", ");
    parts.push(say("then-claims", { moves }));
  }
  return parts.join(", ");
}

function costText({ returned, turned, turned_tiles: tiles }, say) {
  if (tiles.length > 1) return say("both-turned", { returned, turned: tiles.at(-1) });
  if (returned && turned === returned) return say("returned-and-turned", { returned });
  if (returned && turned) return say("returned-other-turned", { returned, turned });
  if (returned) return say("returned-none-turned", { returned });
  if (turned) return say("none-returned-turned", { turned });
  return say("none-returned-none-turned");
}

function drawFailed({ answer, position }, actions, say, book) {
  return element(
    "div",
    { class: "referee-failed" },
    element("p", {}, capital(costText(answer.failed, say)), " ", ruleLinks(answer.failed.rules, book)),
    button(
      "settle",
      { class: "md-button md-button--primary referee-move" },
      (event) => actions.play({ move: { stop: true }, consequence: answer.failed }, event),
      say("settle"),
    ),
  );
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function drawRefused(refused, view, say, book) {
  const groups = new Map();
  for (const one of refused) {
    const key = `${one.why} ${one.rules} ${one.facts.player ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return element(
    "details",
    { class: "referee-refused" },
    element("summary", { "data-key": "refused" }, say("refused")),
    element(
      "ul",
      {},
      [...groups.values()].map((group) =>
        element(
          "li",
          {},
          element("strong", {}, `${movesText(group, view.position, say)}: `),
          whyText(group[0], say),
          " ",
          ruleLinks(group[0].rules, book),
        ),
      ),
    ),
  );
}

/** Several moves in few words, tiles in runs: "Stop with nothing; Take 21–24, 36". */
function movesText(group, position, say) {
  const moves = group.map((one) => one.move ?? one);
  const runs = [];
  for (const { take } of moves.filter((move) => "take" in move)) {
    if (runs.at(-1)?.at(-1) === take - 1) runs.at(-1).push(take);
    else runs.push([take]);
  }
  const tile = runs
    .map((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(", ")))
    .join(", ");
  const others = moves.filter((move) => !("take" in move));
  const told = others.map((move) => moveText(move, position, say));
  return [...told, ...(tile ? [say("take", { tile })] : [])].join("; ");
}

function drawOthers({ answer, position }, say, book) {
  if (!answer.others.length) return element("p", { class: "referee-agree" }, say("all-agree"));
  return element(
    "details",
    { class: "referee-others" },
    element("summary", { "data-key": "others" }, say("differs")),
    element(
      "ul",
      {},
      answer.others.map((other) =>
        element(
          "li",
          {},
          other.editions.map((name, place) => [
            place > 0 && ", ",
            element("a", { href: book.editions[name].href }, book.editions[name].name),
          ]),
          ": ",
          differenceText(other, position, say),
        ),
      ),
    ),
  );
}

function differenceText({ also, barred, cost, otherwise, ends_otherwise: ends }, position, say) {
  const moves = (list) => movesText(list, position, say);
  return [
    cost && say("on-failing", { cost: costText(cost, say) }),
    also.length && say("also-allowed", { moves: moves(also) }),
    barred.length && say("not-allowed-there", { moves: moves(barred) }),
    otherwise.length && say("comes-out-otherwise", { moves: moves(otherwise) }),
    ends && say("other-end"),
  ]
    .filter(Boolean)
    .join(" ");
}
