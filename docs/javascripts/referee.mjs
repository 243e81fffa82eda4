/**
 * The page "Ask the referee": a table to set up, a turn to play, and what the rules say of it.
 *
 * The reference answers, in Python, in a worker; it is loaded when somebody asks for it. Setting
 * up needs none of it. The position stands in the address, beside the edition.
 */

import { drawAnswer, drawHappened, drawWhy, headline, moveKey, openMoves } from "./referee-answer.mjs";
import { drawDice, drawTable } from "./referee-board.mjs";
import { rollDice } from "./referee-dice.mjs";
import { button, choice, element, redraw } from "./dom.mjs";
import {
  Malformed,
  addDie,
  diceLeft,
  fromAddress,
  fromProtocol,
  isWholeRoll,
  layTile,
  namesPosition,
  newGame,
  placeOf,
  removeDie,
  seatPlayers,
  sortDice,
  toAddress,
  toProtocol,
  withoutPosition,
} from "./referee-position.mjs";
import { startReference } from "./referee-python.mjs";
import { share } from "./share.mjs";
import { readBook, speaker } from "./words.mjs";

const place = document.getElementById("referee");
const site = window.pickomino;
const book = await readBook("referee");
const say = speaker(book.words);

let ask = null; // How the reference is asked, once it runs.
let loading = false;
let trouble = ""; // Why the referee is not there, or can't answer.
let complaint = ""; // What is wrong with the address.
let notice = ""; // What a tap has brought about, apart from the position.
let why = null; // The move that somebody tried in vain.
let answer = null; // What the reference says, and of what: `of` and what it says.
let focusMove = false; // The last move was made with the keyboard.
const past = [];

let state = { brush: 0, dieBrush: "aside", ...stateFromAddress() };

/** What the address says: a position to look at, or else a new game to set up. */
function stateFromAddress() {
  const query = new URLSearchParams(location.search);
  const rest = { byHand: null, happened: null };
  if (!namesPosition(query)) return { position: newGame(), settingUp: true, ...rest };
  try {
    return { position: fromAddress(query), settingUp: false, ...rest };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    complaint = `${say("malformed")} ${say(error.word, error.values)}`;
    return { position: newGame(), settingUp: true, ...rest };
  }
}

function rulings() {
  return site?.rulings ?? site?.editions[book.default].rulings ?? {};
}

/** What an answer must be of to be the answer. */
function question() {
  return JSON.stringify([toProtocol(state.position), rulings()]);
}

function currentAnswer() {
  return answer?.of === question() ? answer.told : null;
}

/** Whether the dice make sense: those that are still being entered don't. */
function canBeAsked() {
  return !state.position.roll || isWholeRoll(state.position);
}

/** Change what is seen; a change of the position can be undone. */
function change(next) {
  const moved = next.position && next.position !== state.position;
  if (moved) past.push(state);
  state = { ...state, byHand: null, ...(moved && { happened: null }), ...next };
  forgetSayings();
  if (moved) writeAddress();
  draw();
  if (ask) consult();
}

function forgetSayings() {
  [complaint, notice, trouble, why] = ["", "", "", null];
}

function writeAddress() {
  const rest = withoutPosition(location.search).toString().replaceAll("%3A", ":");
  const search = [rest, toAddress(state.position)].filter(Boolean).join("&");
  history.replaceState(history.state, "", (search ? `?${search}` : location.pathname) + location.hash);
}

async function load(event) {
  focusMove = event.detail === 0;
  loading = true;
  trouble = "";
  draw();
  try {
    ask = await startReference(site?.root ?? "./");
  } catch (error) {
    trouble = say("failed-to-load", { reason: error.message });
  }
  loading = false;
  draw();
  if (ask) await consult();
}

async function consult() {
  if (!canBeAsked() || currentAnswer()) return;
  const of = question();
  try {
    const told = await ask({ position: toProtocol(state.position), rulings: rulings() });
    if (of !== question()) return;
    if (told.problem) trouble = problemText(told.problem);
    else answer = { of, told };
  } catch (error) {
    trouble = say("failed-to-answer", { reason: error.message });
  }
  draw();
}

/** A problem that the page has words for, or the sentence that tells it. */
function problemText(problem) {
  return problem in book.words ? say(problem) : say("failed-to-answer", { reason: problem });
}

const actions = {
  layTile(tile) {
    const there = placeOf(state.position, tile) === state.brush;
    change({ position: layTile(state.position, tile, there ? "grill" : state.brush) });
  },
  chooseBrush: (brush) => change({ brush }),
  chooseDieBrush: (dieBrush) => change({ dieBrush }),
  giveTurn: (player) => change({ position: { ...state.position, player } }),
  seatPlayers(players) {
    const brush = state.brush < players || typeof state.brush === "string" ? state.brush : 0;
    change({ position: seatPlayers(state.position, players), brush });
  },
  addDie: (face) => change({ position: addDie(state.position, state.dieBrush, face) }),
  removeDie: (row, face) => change({ position: removeDie(state.position, row, face) }),

  tapTile: (tile, where, event) => tryMove(moveForTile(tile, where), event),
  tapDie: (face, event) => tryMove({ keep: face }, event),

  startHand: () => change({ byHand: "" }),
  cancelHand: () => change({ byHand: null }),
  takeFromHand: (face) => change({ byHand: state.byHand.replace(face, "") }),
  addToHand(face) {
    const dice = sortDice(state.byHand + face);
    if (dice.length < diceLeft(state.position)) change({ byHand: dice });
    else roll(dice);
  },

  play(one, event) {
    focusMove = event.detail === 0;
    if ("roll" in one.move) roll(rollDice(diceLeft(state.position)));
    else make(one.move, one.consequence);
  },
};

function moveForTile(tile, where) {
  const owner = typeof where === "number" ? state.position.stacks[where] : [];
  return owner.at(-1) === tile ? { steal: where } : { take: tile };
}

/** Make a move that was tapped on the table, or tell why not. */
function tryMove(move, event) {
  const told = currentAnswer();
  const one = told?.moves.find((other) => moveKey(other.move) === moveKey(move));
  if (one?.allowed) return actions.play(one, event);
  why = one ? move : null;
  if (!one) notice = say("ask-first");
  draw();
}

function roll(dice) {
  const one = currentAnswer()?.moves.find(({ move }) => "roll" in move);
  make({ roll: dice }, one?.consequence.failed, dice);
}

/** Make a move: the reference plays it. `end` is what comes of it, if it ends the turn. */
async function make(move, end, dice = state.position.roll) {
  const { player } = state.position;
  let position;
  try {
    const told = await ask({ position: toProtocol(state.position), rulings: rulings(), move });
    if (told.refused || told.problem) throw new Error(told.refused ?? told.problem);
    position = fromProtocol(told);
  } catch (error) {
    trouble = say("failed-to-answer", { reason: error.message });
    draw();
    return;
  }
  const consequence = end?.kind === "kept" ? end.failed : end;
  const over = !position.aside && !position.roll;
  const happened = over && consequence ? { player, move, victim: move.steal, consequence, dice } : null;
  change({ position, happened, settingUp: false });
}

/** Share the position with the edition that judges it, chosen or not. */
async function sharePosition() {
  const address = new URL(location.href);
  if (!address.searchParams.has("edition")) {
    const parts = [`edition=${site?.edition || book.default}`, address.search.slice(1)];
    address.search = parts.filter(Boolean).join("&");
  }
  const word = await share(address.href);
  if (word === "share-by-hand") history.replaceState(history.state, "", address);
  notice = word && say(word);
  draw();
}

function undo() {
  if (!past.length) return;
  state = { ...past.pop(), settingUp: state.settingUp, brush: state.brush, dieBrush: state.dieBrush };
  forgetSayings();
  writeAddress();
  draw();
  if (ask) consult();
}

const parts = {
  bar: element("div", { class: "referee-bar" }),
  board: element("div", { class: "referee-board" }),
  said: element("div", { class: "referee-said", role: "status" }),
  headline: element("p", { class: "referee-headline", role: "status" }),
  answer: element("div", { class: "referee-answer" }),
};

function draw() {
  const told = currentAnswer();
  const { box } = book;
  const view = { ...state, box, answer: told, open: openMoves(told), changed: changedTiles() };
  redraw(parts.bar, drawBar());
  redraw(parts.board, drawTable(view, actions, say), drawDice(view, actions, say));
  const head = told ? headline(view, say) : "";
  if (parts.headline.textContent !== head) parts.headline.textContent = head;
  redraw(parts.said, drawSaid(view));
  if (told) redraw(parts.answer, drawAnswer(view, actions, say, book), drawJudge());
  else if (!answerIsComing()) redraw(parts.answer, drawWaiting());
  parts.answer.inert = answerIsComing();
  if (told && focusMove) {
    focusMove = false;
    parts.answer.querySelector("button")?.focus();
  }
}

/** Whether the answer will be there in a moment; till then the last one stays, out of reach. */
function answerIsComing() {
  return Boolean(ask && canBeAsked() && !currentAnswer() && !trouble);
}

function changedTiles() {
  const { consequence } = state.happened ?? {};
  if (!consequence) return [];
  return [consequence.tile, consequence.returned, ...(consequence.turned_tiles ?? [])].filter(Boolean);
}

function drawBar() {
  const modes = [["play", say("play")], ["set-up", say("set-up")]];
  return [
    choice("mode", say("mode"), modes, state.settingUp ? "set-up" : "play", (mode) =>
      change({ settingUp: mode === "set-up" }),
    ),
    element(
      "div",
      { class: "referee-tools" },
      button("undo", { class: "referee-tool", disabled: !past.length }, undo, say("undo")),
      button("new", { class: "referee-tool" }, startAgain, say("new-game")),
      button("share", { class: "referee-tool" }, sharePosition, say("share")),
    ),
  ];
}

function startAgain() {
  change({ position: newGame(state.position.stacks.length), settingUp: state.settingUp });
}

function drawSaid(view) {
  return [
    complaint && element("p", { class: "referee-trouble" }, complaint),
    trouble && element("p", { class: "referee-trouble" }, trouble),
    notice && element("p", { class: "referee-notice" }, notice),
    state.happened && drawHappened(state.happened, say, book),
    why && drawWhy(view, why, say, book),
  ];
}

/** Draw whose rules decide: the edition at the top of the page, or the default. */
function drawJudge() {
  const [base, ...houses] = (site?.edition || book.default).split("+");
  const edition = book.editions[base];
  const changes = Object.entries(site?.changes ?? {}).map(([ruling, value]) => `${ruling} = ${value}`);
  const more = [...houses.map((house) => site.houseRules[house].title), ...changes];
  return element(
    "p",
    { class: "referee-judge" },
    say(site?.edition ? "judged-by" : "judged-by-default"),
    " ",
    element("a", { href: edition.href }, edition.name),
    more.map((one) => ` + ${one}`),
  );
}

function drawWaiting() {
  if (loading) return element("p", { class: "referee-loading" }, say("loading"));
  if (!ask) {
    return element(
      "div",
      { class: "referee-ask" },
      button("ask", { class: "md-button md-button--primary" }, load, say(trouble ? "again" : "ask")),
      element("p", {}, say("ask-note")),
    );
  }
  if (canBeAsked()) return null; // There is trouble, and it is told.
  const dice = diceLeft(state.position);
  return element("p", {}, say("unfinished-roll", { dice, number: dice - state.position.roll.length }));
}

place.replaceChildren(...Object.values(parts));
place.classList.add("is-ready");
draw();
writeAddress();
document.addEventListener("edition", () => {
  draw();
  if (ask) consult();
});
// Going back in the history may lead to another position on this page.
addEventListener("popstate", () => {
  forgetSayings();
  state = { ...state, ...stateFromAddress() };
  draw();
  if (ask) consult();
});
