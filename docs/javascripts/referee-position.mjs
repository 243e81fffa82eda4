/**
 * A position of the game, and its short address.
 *
 * A position is frozen and whole: every tile lies somewhere, once. What lies on no stack and is
 * not face down lies on the grill.
 *
 *   stacks  an array a player, bottom to top
 *   player  whose turn it is, from 0
 *   down    the tiles that are face down, ascending
 *   aside   the dice set aside, as faces in order: "155W"
 *   roll    the dice that were rolled, "" if none; fewer than are left while they are being chosen
 *   barred  for each player the tiles that may not be stolen back now
 *
 * An address names only what differs from a new game of two:
 *
 *   a=22.30&b=31&down=36&turn=b&aside=5W&roll=112344
 *   players=4&c=28&grill=21-24.30&c-barred=25
 *
 * `a` to `g` are the stacks; `players` tells of players after the last of these. With `grill` all that is named nowhere lies face down, with `down`
 * (or neither) it lies on the grill.
 */

export const TILES = Array.from({ length: 16 }, (_, place) => 21 + place);
export const FACES = [..."12345W"];
export const DICE = 8;
export const SEATS = [..."abcdefg"];

/** What a malformed address says wrongly; `word` names the sentence, `values` go into it. */
export class Malformed extends Error {
  constructor(word, values) {
    super(word);
    this.word = word;
    this.values = values;
  }
}

export function newGame(players = 2) {
  const seats = Array.from({ length: players }, () => []);
  return { stacks: seats, player: 0, down: [], aside: "", roll: "", barred: seats.map(() => []) };
}

export function grill(position) {
  const elsewhere = new Set([...position.down, ...position.stacks.flat()]);
  return TILES.filter((tile) => !elsewhere.has(tile));
}

export function sortDice(dice) {
  return [...dice].sort().join("");
}

export function diceLeft(position) {
  return DICE - position.aside.length;
}

export function isWholeRoll(position) {
  return position.roll.length === diceLeft(position);
}

/** Where a tile lies: "grill", "down", or the number of the player who owns it. */
export function placeOf(position, tile) {
  if (position.down.includes(tile)) return "down";
  const seat = position.stacks.findIndex((stack) => stack.includes(tile));
  return seat < 0 ? "grill" : seat;
}

/** Lay a tile somewhere else; on a stack it comes to lie on top. */
export function layTile(position, tile, place) {
  const without = (tiles) => tiles.filter((one) => one !== tile);
  const down = without(position.down);
  const stacks = position.stacks.map(without);
  if (place === "down") down.push(tile);
  else if (place !== "grill") stacks[place].push(tile);
  return { ...position, stacks, down: ascending(down) };
}

export function addDie(position, row, face) {
  if (position.aside.length + position.roll.length >= DICE) return position;
  return { ...position, [row]: sortDice(position[row] + face) };
}

export function removeDie(position, row, face) {
  return { ...position, [row]: position[row].replace(face, "") };
}

/** Change how many play. The tiles of players who leave go back to the grill. */
export function seatPlayers(position, players) {
  const seats = newGame(players).stacks;
  return {
    ...position,
    stacks: seats.map((_, seat) => position.stacks[seat] ?? []),
    barred: seats.map((_, seat) => position.barred[seat] ?? []),
    player: Math.min(position.player, players - 1),
  };
}

/** The position as the adapter protocol has it. */
export function toProtocol(position) {
  return {
    table: {
      grill: grill(position),
      face_down: position.down,
      stacks: position.stacks,
      player: position.player,
      barred: position.barred,
    },
    kept: position.aside,
    roll: position.roll || null,
  };
}

export function fromProtocol({ table, kept, roll }) {
  return {
    stacks: table.stacks,
    player: table.player,
    down: table.face_down,
    aside: kept,
    roll: roll ?? "",
    barred: table.barred,
  };
}

/** The query of a position's address, "" for a new game of two. */
export function toAddress(position) {
  const parts = [];
  const add = (key, value) => value && parts.push(`${key}=${value}`);
  if (position.stacks.length !== seatsNamed(toOwners(position))) add("players", position.stacks.length);
  position.stacks.forEach((stack, seat) => add(SEATS[seat], stack.join(".")));
  const down = ranges(position.down);
  const up = ranges(grill(position));
  if (down) down.length <= up.length || !up ? add("down", down) : add("grill", up);
  if (position.player) add("turn", SEATS[position.player]);
  add("aside", position.aside);
  add("roll", position.roll);
  position.barred.forEach((tiles, seat) => add(`${SEATS[seat]}-barred`, tiles.join(".")));
  return parts.join("&");
}

const KEYS = ["players", "turn", "grill", "down", "aside", "roll"];
const ALL_KEYS = [...KEYS, ...SEATS, ...SEATS.map((seat) => `${seat}-barred`)];

/** Whether a query says anything of a position. */
export function namesPosition(query) {
  return ALL_KEYS.some((key) => query.has(key));
}

/** The same query without what it says of a position, other things left as they are. */
export function withoutPosition(query) {
  const kept = new URLSearchParams(query);
  ALL_KEYS.forEach((key) => kept.delete(key));
  return kept;
}

/**
 * Read a position from a query.
 *
 * @param {URLSearchParams} query
 * @throws {Malformed} it says what can't be.
 */
export function fromAddress(query) {
  const position = newGame(readPlayers(query));
  const places = new Map();
  const place = (tile, key, value) => {
    if (places.has(tile)) throw new Malformed("tile-twice", { tile, key, value });
    places.set(tile, key);
    return tile;
  };
  SEATS.forEach((key, seat) => {
    if (!query.get(key)) return;
    seatExists(position, seat, key);
    position.stacks[seat] = readTiles(query, key).map((tile) => place(tile, key, query.get(key)));
  });
  if (query.has("grill") && query.has("down")) throw new Malformed("grill-and-down", {});
  const named = readTiles(query, query.has("grill") ? "grill" : "down");
  named.forEach((tile) => place(tile, query.has("grill") ? "grill" : "down", ""));
  position.down = query.has("grill") ? TILES.filter((tile) => !places.has(tile)) : ascending(named);
  position.player = readTurn(query, position);
  position.aside = readDice(query, "aside", DICE);
  position.roll = readDice(query, "roll", DICE - position.aside.length);
  SEATS.forEach((letter, seat) => {
    const key = `${letter}-barred`;
    if (!query.get(key)) return;
    seatExists(position, seat, key);
    position.barred[seat] = ascending(readTiles(query, key));
  });
  return position;
}

function toOwners(position) {
  return SEATS.filter((_, seat) => position.stacks[seat]?.length);
}

/** How many play if nothing tells but the letters of those who own tiles. */
function seatsNamed(letters) {
  return Math.max(2, ...letters.map((letter) => SEATS.indexOf(letter) + 1));
}

function readPlayers(query) {
  const named = seatsNamed(SEATS.filter((letter) => query.get(letter)));
  const value = query.get("players") || String(named);
  if (!/^[2-7]$/.test(value)) throw new Malformed("bad-players", { value });
  return Number(value);
}

function readTurn(query, position) {
  const value = query.get("turn") || "a";
  const seat = SEATS.indexOf(value);
  if (seat < 0) throw new Malformed("bad-turn", { value });
  seatExists(position, seat, "turn");
  return seat;
}

function seatExists(position, seat, key) {
  const players = position.stacks.length;
  if (seat >= players) throw new Malformed("no-such-seat", { key, players });
}

function readTiles(query, key) {
  const value = query.get(key);
  if (!value) return [];
  return value.split(".").flatMap((part) => {
    const found = /^(\d\d)(?:-(\d\d))?$/.exec(part);
    const [first, last] = found ? [Number(found[1]), Number(found[2] ?? found[1])] : [0, 0];
    if (!TILES.includes(first) || !TILES.includes(last) || first > last) {
      throw new Malformed("bad-tile", { key, value: part });
    }
    return TILES.filter((tile) => first <= tile && tile <= last);
  });
}

function readDice(query, key, most) {
  const value = (query.get(key) ?? "").toUpperCase();
  const wrong = [...value].find((face) => !FACES.includes(face));
  if (wrong) throw new Malformed("bad-die", { key, value: wrong });
  if (value.length > most) throw new Malformed("too-many-dice", { key, number: value.length, most });
  return sortDice(value);
}

/** Tiles as "21-24.30"; a run of two is no shorter as a run. */
function ranges(tiles) {
  const runs = [];
  for (const tile of tiles) {
    const run = runs.at(-1);
    if (run && run.at(-1) === tile - 1) run.push(tile);
    else runs.push([tile]);
  }
  const texts = runs.flatMap((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run));
  return texts.join(".");
}

function ascending(tiles) {
  return [...tiles].sort((one, other) => one - other);
}
