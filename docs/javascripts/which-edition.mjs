/**
 * The page "Which edition is in my box?": asks what the reader's rules say, one point after
 * another, until one edition remains or nothing more can tell those that remain apart.
 *
 * The answers stand in the address, so that one can come back to them.
 */

import { element, button, redraw } from "./dom.mjs";
import { editionsLeft, nearest, nextQuestion, UNKNOWN } from "./which-edition-choosing.mjs";
import { share } from "./share.mjs";
import { readBook, speaker } from "./words.mjs";

const place = document.getElementById("which-edition");
const site = window.pickomino;
const book = await readBook("which-edition");
const say = speaker(book.words);
const { rulings, editions } = book;

let answers = readAnswers(); // Map of ruling to value, in the order of asking.
let picking = false; // Whether the reader picks all points one by one.
let notice = "";

function readAnswers() {
  const query = new URLSearchParams(location.search);
  const found = [...query].filter(([ruling, value]) => {
    const known = rulings[ruling]?.alternatives;
    return known && (value in known || value === UNKNOWN);
  });
  return new Map(found);
}

function writeAddress() {
  const query = new URLSearchParams(location.search);
  Object.keys(rulings).forEach((ruling) => query.delete(ruling));
  answers.forEach((value, ruling) => query.set(ruling, value));
  const search = query.toString().replaceAll("%3A", ":");
  history.replaceState(history.state, "", search ? `?${search}` : location.pathname);
}

function change(next) {
  answers = next;
  notice = "";
  writeAddress();
  draw();
  place.querySelector("h2")?.focus();
}

function answer(ruling, value) {
  change(new Map(answers).set(ruling, value));
}

function forget(ruling) {
  const next = new Map(answers);
  next.delete(ruling);
  change(next);
}

function draw() {
  const left = editionsLeft(editions, answers);
  const asked = left.length > 1 ? nextQuestion(rulings, editions, answers) : null;
  redraw(
    place,
    picking ? drawPicking() : asked ? drawQuestion(asked) : drawResult(left),
    element("div", { role: "status" }, notice),
    !picking && drawAnswers(),
    !picking && left.length > 0 && drawLeft(left),
  );
}

function heading(text) {
  return element("h2", { tabindex: -1 }, text);
}

function drawQuestion(ruling) {
  const told = rulings[ruling];
  const number = answers.size + 1;
  return element(
    "div",
    { class: "which-question" },
    heading(told.question),
    element("p", {}, say("question", { number }), " ", element("a", { href: told.href }, say("more"))),
    element(
      "div",
      { class: "which-answers" },
      Object.entries(told.alternatives).map(([value, text]) =>
        button(`${ruling}-${value}`, { class: "md-button" }, () => answer(ruling, value), text),
      ),
      button(`${ruling}-${UNKNOWN}`, { class: "md-button" }, () => answer(ruling, UNKNOWN), say("dont-know")),
    ),
  );
}

function drawResult(left) {
  if (!left.length) {
    return element(
      "div",
      {},
      heading(say("none-left")),
      element("p", {}, say("none-left-help")),
      pickButton(),
    );
  }
  if (left.length > 1) {
    return element("div", {}, heading(say("cant-tell")), element("p", {}, say("cant-tell-help")));
  }
  const edition = editions[left[0]];
  const unasked = Object.keys(rulings).filter((ruling) => !answers.has(ruling));
  return element(
    "div",
    {},
    heading(say("found", { name: edition.name })),
    element("p", {}, edition.found),
    drawActions(left[0], {}),
    unasked.length > 0 &&
      element(
        "div",
        {},
        element("p", {}, say("it-also-says")),
        element(
          "dl",
          { class: "departs" },
          unasked.map((ruling) => [
            element("dt", {}, element("a", { href: rulings[ruling].href }, rulings[ruling].name)),
            element("dd", {}, rulings[ruling].alternatives[edition.rulings[ruling]]),
          ]),
        ),
        pickButton(say("not-mine")),
      ),
  );
}

function pickButton(text = say("pick")) {
  return button("pick", { class: "md-button" }, () => startPicking(), text);
}

function startPicking() {
  picking = true;
  notice = "";
  draw();
  place.querySelector("h2")?.focus();
}

/** What can be done with rules that were found or picked: use them, read them, send them. */
function drawActions(edition, changes) {
  return element(
    "p",
    { class: "actions" },
    button("use", { class: "md-button md-button--primary" }, () => use(edition, changes), say("use")),
    " ",
    element("a", { class: "md-button", href: editions[edition].href }, say("read")),
    " ",
    button("share", { class: "md-button" }, () => shareRules(edition, changes), say("share")),
  );
}

function use(edition, changes) {
  site?.choose(edition, changes);
  notice = say("used");
  draw();
}

async function shareRules(edition, changes) {
  const address = new URL("quick-start/", book.first.href);
  const points = Object.entries(changes).map(([ruling, value]) => `ruling=${ruling}:${value}`);
  address.search = [`edition=${edition}`, ...points].join("&");
  const word = await share(address.href);
  notice = word === "share-by-hand" ? address.href : word && say(word);
  draw();
}

function drawPicking() {
  const known = new Map([...answers].filter(([, value]) => value !== UNKNOWN));
  const base = nearest(editions, known);
  const values = { ...editions[base].rulings, ...Object.fromEntries(known) };
  const changes = Object.fromEntries(
    Object.entries(values).filter(([ruling, value]) => editions[base].rulings[ruling] !== value),
  );
  const number = Object.keys(changes).length;
  return element(
    "div",
    { class: "which-picking" },
    heading(say("picking")),
    Object.entries(rulings).map(([ruling, told]) => drawPoint(ruling, told, values[ruling])),
    element(
      "p",
      {},
      element("strong", {}, say(number ? "nearest" : "exactly", { name: editions[base].name, number })),
    ),
    drawActions(base, changes),
    element("p", {}, button("back", { class: "md-button" }, stopPicking, say("back"))),
  );
}

function drawPoint(ruling, told, chosen) {
  return element(
    "label",
    { class: "which-point" },
    element("span", {}, told.question),
    element(
      "select",
      { "data-key": `point-${ruling}`, on: { change: (event) => pick(ruling, event.target.value) } },
      Object.entries(told.alternatives).map(([value, text]) =>
        element("option", { value, selected: value === chosen }, text),
      ),
    ),
  );
}

function pick(ruling, value) {
  answers = new Map(answers).set(ruling, value);
  writeAddress();
  draw();
}

function stopPicking() {
  picking = false;
  change(answers);
}

function drawAnswers() {
  if (!answers.size) return null;
  return element(
    "div",
    { class: "which-said" },
    element("h3", {}, say("you-said")),
    element(
      "ul",
      {},
      [...answers].map(([ruling, value]) =>
        element(
          "li",
          {},
          element("strong", {}, rulings[ruling].name),
          ": ",
          value === UNKNOWN ? say("dont-know") : rulings[ruling].alternatives[value],
          " ",
          button(
            `forget-${ruling}`,
            { class: "which-forget", "aria-label": say("forget", { name: rulings[ruling].name }) },
            () => forget(ruling),
            say("change"),
          ),
        ),
      ),
    ),
    button("again", { class: "md-button" }, () => change(new Map()), say("again")),
  );
}

function drawLeft(left) {
  const retellings = left.filter((name) => editions[name].kind === "retelling");
  const boxes = left.filter((name) => !retellings.includes(name));
  return element(
    "div",
    { class: "which-left" },
    element("h3", {}, say("left", { number: left.length })),
    boxes.length > 0 && drawList(boxes),
    retellings.length > 0 &&
      element(
        "details",
        { class: "more which-retellings", open: !boxes.length },
        element("summary", { "data-key": "retellings" }, say("retellings", { number: retellings.length })),
        drawList(retellings),
      ),
    pickButton(),
  );
}

function drawList(names) {
  return element(
    "ul",
    {},
    names.map((name) =>
      element("li", {}, element("a", { href: editions[name].href }, editions[name].name), ` – ${editions[name].found}`),
    ),
  );
}

/** Fold away the list of all questions, which whoever has no script reads. */
function foldQuestions(title) {
  const folded = element("details", { class: "more which-all" });
  title.before(folded);
  while (folded.nextSibling) folded.append(folded.nextSibling);
  folded.prepend(element("summary", {}, say("all-questions")));
  title.remove();
}

place.hidden = false;
foldQuestions(document.getElementById("all-questions"));
draw();
