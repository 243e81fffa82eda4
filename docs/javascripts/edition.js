// The reader's edition: chosen in the header, told by the address, remembered, shown everywhere.
//
// `editions.js`, made at the build, sets `window.pickominoEditions` before this script runs:
// {rulings: {id: [values]}, editions: {id: {title, kind, rulings}}, houseRules: {id: {title, rulings}},
// words: {unknown}}.
// Everything that hangs on a ruling says so in `data-when="ruling=value ruling=value"` (several
// values of one ruling: any of them) and is hidden where it does not hold.
(() => {
  "use strict";

  const { rulings, editions, houseRules, words } = window.pickominoEditions;
  const REMEMBERED = "pickomino-edition";
  const DEFAULT = "zoch-2005";

  const state = { edition: "", changes: {}, rulings: null };

  /** The rulings of `EDITION+HOUSE`, or null if a name is unknown or two house rules disagree. */
  function rulingsOf(name) {
    const [base, ...houses] = name.split("+");
    if (!Object.hasOwn(editions, base)) return null;
    const values = { ...editions[base].rulings };
    const setBy = {};
    for (const house of houses) {
      if (!Object.hasOwn(houseRules, house)) return null;
      for (const [ruling, value] of Object.entries(houseRules[house].rulings)) {
        if (setBy[ruling] === house) return null;
        if (setBy[ruling] && values[ruling] !== value) return null;
        values[ruling] = value;
        setBy[ruling] = house;
      }
    }
    return values;
  }

  /** Whether an element with these needs holds under these rulings. */
  function holds(when, values) {
    const needs = {};
    for (const one of when.split(/\s+/).filter(Boolean)) {
      const [ruling, value] = one.split("=");
      (needs[ruling] ??= []).push(value);
    }
    return Object.entries(needs).every(([ruling, wanted]) => wanted.includes(values[ruling]));
  }

  function set(edition, changes) {
    const values = edition ? rulingsOf(edition) : null;
    if (edition && !values) return false;
    const kept = {};
    for (const [ruling, value] of Object.entries(values ? changes : {})) {
      if (rulings[ruling]?.includes(value) && values[ruling] !== value) kept[ruling] = value;
    }
    state.edition = edition;
    state.changes = kept;
    state.rulings = values && { ...values, ...kept };
    return true;
  }

  /** What the address asks for: null if it asks for nothing. */
  function asked() {
    const query = new URLSearchParams(location.search);
    if (!query.has("edition") && !query.has("ruling")) return null;
    const edition = (query.get("edition") || DEFAULT).trim().replaceAll(" ", "+");
    return { edition, changes: readChanges(query.getAll("ruling")) };
  }

  function readChanges(texts) {
    return Object.fromEntries(texts.map((text) => text.split(":", 2)).filter((pair) => pair[1]));
  }

  function remembered() {
    try {
      return JSON.parse(localStorage.getItem(REMEMBERED));
    } catch {
      return null;
    }
  }

  function remember() {
    try {
      const { edition, changes } = state;
      if (edition) localStorage.setItem(REMEMBERED, JSON.stringify({ edition, changes }));
      else localStorage.removeItem(REMEMBERED);
    } catch {
      // Storage may be closed to us; then the choice lasts as long as the address.
    }
  }

  function writeAddress() {
    const address = new URL(location.href);
    address.searchParams.delete("edition");
    address.searchParams.delete("ruling");
    const rest = address.searchParams.toString();
    const own = state.edition ? [`edition=${state.edition}`] : [];
    own.push(...Object.entries(state.changes).map(([ruling, value]) => `ruling=${ruling}:${value}`));
    address.search = [...own, rest].filter(Boolean).join("&");
    history.replaceState(history.state, "", address);
  }

  function show() {
    const root = document.documentElement;
    if (state.edition) root.dataset.edition = state.edition;
    else delete root.dataset.edition;
    for (const element of document.querySelectorAll("[data-when]")) {
      // Without an edition all is shown, save what no edition has.
      element.hidden = state.rulings
        ? !holds(element.dataset.when, state.rulings)
        : "houseOnly" in element.dataset;
    }
    for (const element of document.querySelectorAll("[data-choice]")) {
      const chosen = Boolean(state.rulings) && holds(element.dataset.choice, state.rulings);
      element.classList.toggle("is-chosen", chosen);
      element.classList.toggle("is-other", Boolean(state.rulings) && !chosen);
    }
    for (const element of document.querySelectorAll("[data-for-edition]")) {
      element.classList.toggle("is-chosen", element.dataset.forEdition === state.edition);
    }
    showPicker();
    showButtons();
    showTarget();
  }

  /** Buttons that choose an edition, lay a house rule over it, or print. */
  function showButtons() {
    const [base, ...houses] = (state.edition || DEFAULT).split("+");
    for (const button of document.querySelectorAll("[data-choose]")) {
      const chosen = button.dataset.choose === state.edition;
      say(button, button.dataset.chosen, chosen);
      button.disabled = chosen;
      button.onclick = () => choose(button.dataset.choose);
    }
    for (const button of document.querySelectorAll("[data-house]")) {
      const house = button.dataset.house;
      const laid = houses.includes(house);
      const others = houses.filter((one) => one !== house);
      say(button, button.dataset.on, laid);
      button.setAttribute("aria-pressed", String(laid));
      button.onclick = () => {
        const wanted = laid ? others : [...others.filter((one) => agree(one, house)), house];
        choose([base, ...wanted].join("+"), state.changes);
      };
    }
    for (const button of document.querySelectorAll("[data-print]")) {
      button.hidden = false;
      button.onclick = () => print();
    }
  }

  /** Whether two house rules may lie over one edition. */
  function agree(one, other) {
    return rulingsOf([DEFAULT, one, other].join("+")) !== null;
  }

  /** Show a button with its own words, or with others. */
  function say(button, other, isOther) {
    button.dataset.words ??= button.textContent;
    button.textContent = isOther ? other : button.dataset.words;
    button.hidden = false;
  }

  function showPicker() {
    const picker = document.getElementById("edition-picker");
    if (!picker) return;
    for (const option of picker.querySelectorAll("[data-own]")) option.remove();
    const name = state.edition;
    const changes = Object.entries(state.changes);
    const listed = [...picker.options].some((option) => option.value === name);
    if (name && (!listed || changes.length)) {
      // House rules and single rulings are no entry of the list: they get one of their own.
      const [base, ...houses] = name.split("+");
      const parts = [editions[base].title, ...houses.map((house) => houseRules[house].title)];
      const label = [...parts, ...changes.map(([ruling, value]) => `${ruling} = ${value}`)].join(" + ");
      const own = new Option(label, "*own", true, true);
      own.dataset.own = "";
      picker.append(own);
    } else {
      picker.value = name;
    }
    picker.title = picker.selectedOptions[0]?.textContent.trim() ?? "";
    picker.closest(".edition")?.classList.toggle("is-set", Boolean(name));
  }

  /** Whoever comes for an example sees it, folded or of another edition though it may be. */
  function showTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let element = target; element; element = element.parentElement) {
      element.hidden = false;
      if (element.tagName === "DETAILS") element.open = true;
    }
    if (target.tagName === "DETAILS") requestAnimationFrame(() => target.scrollIntoView());
  }

  function choose(edition, changes = {}) {
    if (!set(edition, changes)) return false;
    remember();
    writeAddress();
    show();
    document.dispatchEvent(new CustomEvent("edition"));
    return true;
  }

  /** Say above the page that the address names no edition that there is. */
  function complain(name) {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.setAttribute("role", "alert");
    notice.textContent = words.unknown.replace("#", name);
    document.querySelector("article")?.prepend(notice);
  }

  const fromAddress = asked();
  const first = fromAddress ?? remembered();
  const known = first && set(String(first.edition ?? ""), first.changes ?? {});
  if (fromAddress && known) remember();
  if (fromAddress && !known) complain(fromAddress.edition);

  window.pickomino = {
    get edition() {
      return state.edition;
    },
    get changes() {
      return { ...state.changes };
    },
    get rulings() {
      return state.rulings && { ...state.rulings };
    },
    root: document.querySelector('meta[name="site-root"]')?.content ?? "./",
    editions,
    houseRules,
    rulingsOf,
    choose,
  };

  document.getElementById("edition-picker")?.addEventListener("change", (event) => {
    if (event.target.value !== "*own") choose(event.target.value);
  });
  addEventListener("hashchange", showTarget);
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details.print-open")) details.open = true;
  });
  show();
})();
