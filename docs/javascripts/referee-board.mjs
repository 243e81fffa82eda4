/** The table and the dice of the referee page: seen, tapped, and set up. */

import { button, choice, element } from "./dom.mjs";
import { FACES, TILES, diceLeft, isWholeRoll, placeOf } from "./referee-position.mjs";

export const NAMES = ["Ann", "Bob", "Cas", "Dee", "Eva", "Fay", "Guy"];

/**
 * Draw the table: the grill, and every player's stack.
 *
 * @param {object} view `position`, `settingUp`, `open` (keys of the moves that are allowed),
 *   `changed` (tiles that the last turn moved), `brush` (where a tapped tile goes), and `box`
 *   (what tiles and dice count)
 * @param {object} actions what taps do
 */
export function drawTable(view, actions, say) {
  const { position, settingUp } = view;
  return [
    element(
      "div",
      { class: "grill", role: "group", "aria-label": say("grill") },
      TILES.map((tile) => drawPlace(tile, view, actions, say)),
    ),
    settingUp && drawTileBrush(view, actions, say),
    element(
      "div",
      { class: "referee-seats" },
      position.stacks.map((_, seat) => drawSeat(seat, view, actions, say)),
    ),
    settingUp && element("p", { class: "referee-hint" }, say("give-turn")),
    settingUp && drawPlayers(position, actions, say),
  ];
}

/** Draw the dice: those set aside, those rolled, and in setting up the faces to choose from. */
export function drawDice(view, actions, say) {
  const { position, settingUp, byHand } = view;
  return element(
    "div",
    { class: "referee-dice" },
    drawRow("aside", view, actions, say),
    (settingUp || position.roll) && drawRow("roll", view, actions, say),
    settingUp && drawDiceBrush(view, actions, say),
    settingUp && drawPad(actions.addDie, say),
    byHand !== null && drawHand(view, actions, say),
  );
}

/** Dice as a picture, with its text. */
export function dicePicture(dice, say) {
  const drawn = [...dice].map((face) => element("i", { class: "die", "data-face": face }));
  return element("span", { class: "dice", role: "img", "aria-label": diceText(dice, say) }, drawn);
}

export function diceText(dice, say) {
  return facesOf(dice, say).join(" ");
}

export function facesOf(dice, say) {
  return [...dice].map((face) => faceText(face, say));
}

export function faceText(face, say) {
  return face === "W" ? say("worm") : face;
}

/** A place of the grill: its tile, or the gap that it has left. */
function drawPlace(tile, view, actions, say) {
  const { position, open, changed, settingUp, box } = view;
  const where = placeOf(position, tile);
  const piece = where === "grill" ? "tile" : where === "down" ? "tile is-face-down" : "slot";
  const marks = [changed.includes(tile) && "is-changed", open.has(`take-${tile}`) && "is-open"];
  return button(
    `tile-${tile}`,
    {
      class: [piece, ...marks].filter(Boolean).join(" "),
      "data-worms": where === "grill" && box.worms[tile],
      "aria-label": `${tileText(tile, box, say)}, ${whereText(where, say)}`,
    },
    (event) => (settingUp ? actions.layTile(tile) : actions.tapTile(tile, where, event)),
    tile,
  );
}

function tileText(tile, box, say) {
  const worms = box.worms[tile];
  return worms === 1 ? say("tile-of-one-worm", { tile }) : say("tile", { tile, worms });
}

function whereText(where, say) {
  if (where === "grill") return say("face-up");
  return where === "down" ? say("face-down") : say("owned-by", { name: NAMES[where] });
}

function drawSeat(seat, view, actions, say) {
  const { position } = view;
  const name = NAMES[seat];
  const moving = seat === position.player;
  const barred = position.barred[seat];
  return element(
    "div",
    {
      class: `seat${moving ? " is-moving" : ""}`,
      role: "group",
      "aria-label": `${name}${moving ? `, ${say("to-move")}` : ""}: ${stackText(position.stacks[seat], say)}`,
    },
    element(
      "span",
      { class: "referee-seat-head" },
      drawName(seat, view, actions),
      moving && element("span", { class: "referee-moving" }, say("to-move")),
    ),
    element(
      "span",
      { class: "stack" },
      position.stacks[seat].map((tile) => drawOwned(tile, seat, view, actions, say)),
    ),
    barred.length > 0 && element("small", {}, say("barred", { tiles: barred.join(" ") })),
  );
}

function stackText(stack, say) {
  return stack.length ? say("owns", { tiles: stack.join(" ") }) : say("owns-nothing");
}

/** In setting up a tap on a name hands the turn to that player. */
function drawName(seat, { position, settingUp }, actions) {
  if (!settingUp) return element("span", { class: "referee-name" }, NAMES[seat]);
  return button(
    `turn-${seat}`,
    { class: "referee-name", "aria-pressed": String(seat === position.player) },
    () => actions.giveTurn(seat),
    NAMES[seat],
  );
}

function drawOwned(tile, seat, view, actions, say) {
  const { position, open, changed, settingUp, box } = view;
  const top = tile === position.stacks[seat].at(-1);
  const marks = [changed.includes(tile) && "is-changed", top && open.has(`steal-${seat}`) && "is-open"];
  return button(
    `owned-${tile}`,
    {
      class: ["tile", ...marks].filter(Boolean).join(" "),
      "data-worms": box.worms[tile],
      "aria-label": say(top ? "top-tile" : "covered-tile", { tile, name: NAMES[seat] }),
    },
    (event) => (settingUp ? actions.layTile(tile) : actions.tapTile(tile, seat, event)),
    tile,
  );
}

function drawTileBrush({ position, brush }, actions, say) {
  const seats = position.stacks.map((_, seat) => [seat, say("to-player", { name: NAMES[seat] })]);
  const options = [...seats, ["down", say("to-face-down")], ["grill", say("to-grill")]];
  return choice("brush", say("a-tapped-tile-goes"), options, brush, actions.chooseBrush);
}

function drawPlayers(position, actions, say) {
  const options = NAMES.map((_, seat) => [seat + 1, seat + 1]).slice(1);
  return choice("players", say("players"), options, position.stacks.length, actions.seatPlayers);
}

function drawRow(row, view, actions, say) {
  const { position, settingUp } = view;
  const dice = [...position[row]];
  const fixed = row === "aside" && !settingUp;
  const missing = settingUp && row === "roll" && dice.length ? diceLeft(position) - dice.length : 0;
  const blanks = Array.from({ length: missing }, () => element("i", { class: "die" }));
  return element(
    "div",
    { class: "referee-row" },
    element("span", { class: "referee-label", "aria-hidden": "true" }, say(row)),
    row === "aside" && element("span", { class: "referee-total" }, totalText(view, say)),
    missing > 0 && element("span", { class: "referee-hint" }, say("dice-missing", { number: missing })),
    element(
      "span",
      {
        class: "dice",
        role: fixed ? "img" : "group",
        "aria-label": `${say(row)}: ${dice.length ? diceText(dice, say) : say("none")}`,
      },
      dice.map((face, place) => drawDie(face, place, row, view, actions, say)),
      blanks,
      !dice.length && "–",
    ),
  );
}

function drawDie(face, place, row, { open, settingUp }, actions, say) {
  const key = `${row}-${place}`;
  if (settingUp) {
    const label = say("take-away", { face: faceText(face, say) });
    return drawFace(key, face, label, () => actions.removeDie(row, face));
  }
  if (row === "aside") return element("i", { class: "die", "data-face": face });
  const label = say("choose-face", { face: faceText(face, say) });
  const mark = open.has(`keep-${face}`) ? "is-open" : "";
  return drawFace(key, face, label, (event) => actions.tapDie(face, event), mark);
}

function drawFace(key, face, label, tap, mark = "") {
  return button(key, { class: `die ${mark}`.trim(), "data-face": face, "aria-label": label }, tap);
}

function totalText({ position, box }, say) {
  const { aside } = position;
  if (!aside) return "";
  const total = [...aside].reduce((sum, face) => sum + box.points[face], 0);
  return say(aside.includes(box.worm) ? "total" : "total-without-worm", { total });
}

function drawDiceBrush({ dieBrush }, actions, say) {
  const options = [["aside", say("to-aside")], ["roll", say("to-roll")]];
  return choice("die-brush", say("a-tapped-die-goes"), options, dieBrush, actions.chooseDieBrush);
}

function drawPad(tap, say) {
  return element(
    "div",
    { class: "referee-pad", role: "group", "aria-label": say("faces") },
    FACES.map((face) => drawFace(`pad-${face}`, face, faceText(face, say), () => tap(face))),
  );
}

/** The dice of a roll that was made on the table, entered one by one. */
function drawHand({ position, byHand }, actions, say) {
  const left = diceLeft(position) - byHand.length;
  const entered = [...byHand].map((face, place) => {
    const label = say("take-away", { face: faceText(face, say) });
    return drawFace(`hand-${place}`, face, label, () => actions.takeFromHand(face));
  });
  const blanks = Array.from({ length: left }, () => element("i", { class: "die" }));
  return element(
    "div",
    { class: "referee-hand", role: "group", "aria-label": say("roll-by-hand") },
    element("p", {}, say("dice-to-enter", { number: left })),
    element("span", { class: "dice" }, entered, blanks),
    drawPad(actions.addToHand, say),
    button("hand-cancel", { class: "referee-tool" }, actions.cancelHand, say("cancel")),
  );
}
