/** Elements of a page, made and replaced; the focus stays where it was, and so does what was unfolded. */

/**
 * Make an element. Attributes that are false or null are left out; `on` are listeners by event.
 * Children are elements or texts, in arrays too; false and null are left out.
 */
export function element(name, { on = {}, ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  for (const [event, listener] of Object.entries(on)) made.addEventListener(event, listener);
  made.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return made;
}

/** A button that does something; `key` finds it again after it was drawn anew. */
export function button(key, attributes, action, ...children) {
  const told = { type: "button", "data-key": key, on: { click: action }, ...attributes };
  return element("button", told, ...children);
}

/** One choice of several, as radio buttons that look like a row; `options` are [value, text]. */
export function choice(name, legend, options, chosen, choose) {
  return element(
    "fieldset",
    { class: "referee-choice" },
    element("legend", {}, legend),
    options.map(([value, label]) =>
      element(
        "label",
        {},
        element("input", {
          type: "radio",
          name,
          value,
          checked: value === chosen,
          "data-key": `${name}-${value}`,
          on: { change: () => choose(value) },
        }),
        element("span", {}, label),
      ),
    ),
  );
}

/** Draw the children of an element anew. The focus goes to the element of the same key. */
export function redraw(place, ...children) {
  const key = place.contains(document.activeElement) && keyOf(document.activeElement);
  const unfolded = [...place.querySelectorAll("details[open] > summary")].map(keyOf);
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const one of unfolded) find(place, one)?.parentElement.setAttribute("open", "");
  if (key) find(place, key)?.focus({ preventScroll: true });
}

function keyOf(drawn) {
  return drawn.dataset.key;
}

function find(place, key) {
  return place.querySelector(`[data-key="${key}"]`);
}
